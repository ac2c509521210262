/// Parses a pattern. Its recursion is bounded by `Pattern.maximumNesting`.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  var position = 0

  static func parse(_ source: String) throws(PatternError) -> PatternNode {
    var parser = PatternParser(scalars: Array(source.unicodeScalars))
    guard parser.scalars.count <= Pattern.maximumInstructions else {
      throw PatternError(position: Pattern.maximumInstructions, reason: .tooLarge)
    }
    let node = try parser.alternatives(depth: 0)
    if let next = parser.peek { throw parser.error(.unescaped(Character(next))) }
    return node
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  // MARK: Cursor

  var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  mutating func next() throws(PatternError) -> Unicode.Scalar {
    guard let scalar = peek else { throw error(.unterminated) }
    position += 1
    return scalar
  }

  mutating func skip(_ text: String) -> Bool {
    guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  func error(_ reason: PatternError.Reason, at position: Int? = nil) -> PatternError {
    PatternError(position: position ?? self.position, reason: reason)
  }

  // MARK: Structure

  private mutating func alternatives(depth: Int) throws(PatternError) -> PatternNode {
    guard depth <= Pattern.maximumNesting else { throw error(.tooDeep) }
    var all = [try sequence(depth: depth)]
    while skip("|") { all.append(try sequence(depth: depth)) }
    return try bounded(.alternatives(all))
  }

  private mutating func sequence(depth: Int) throws(PatternError) -> PatternNode {
    var terms: [PatternNode] = []
    while let scalar = peek, scalar != "|", scalar != ")" { terms.append(try term(depth: depth)) }
    return try bounded(.sequence(terms))
  }

  private mutating func term(depth: Int) throws(PatternError) -> PatternNode {
    let start = position
    let node: PatternNode
    switch try next() {
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    case "(": node = try group(depth: depth, start: start)
    case "[": node = .set(try characterClass(start: start))
    case ".": node = .set(.anyButLineEnds)
    case "\\":
      switch try escape(start: start) {
      case .scalar(let scalar): node = .scalar(scalar)
      case .set(let set): node = .set(set)
      case .assertion(let assertion): return .assertion(assertion)
      }
    case "*", "+", "?", "{": throw error(.nothingToRepeat, at: start)
    case let bracket where bracket == "]" || bracket == "}": throw error(.unescaped(Character(bracket)), at: start)
    case let literal: node = .scalar(literal)
    }
    return try repeated(node)
  }

  private mutating func group(depth: Int, start: Int) throws(PatternError) -> PatternNode {
    if skip("?") {
      if skip("=") || skip("!") || skip("<=") || skip("<!") { throw error(.lookaround, at: start) }
      if skip("<") {
        guard let first = peek, first != ">" else { throw error(.unknownGroup, at: start) }
        while try next() != ">" {}
      } else if !skip(":") {
        throw error(.unknownGroup, at: start)
      }
    }
    let node = try alternatives(depth: depth + 1)
    guard skip(")") else { throw error(.unterminated, at: start) }
    return node
  }

  // MARK: Repetition

  private mutating func repeated(_ node: PatternNode) throws(PatternError) -> PatternNode {
    let result: PatternNode
    if skip("*") {
      result = .repetition(of: node, minimum: 0, maximum: nil)
    } else if skip("+") {
      result = .repetition(of: node, minimum: 1, maximum: nil)
    } else if skip("?") {
      result = .repetition(of: node, minimum: 0, maximum: 1)
    } else if peek == "{" {
      let (minimum, maximum) = try counts()
      result = .repetition(of: node, minimum: minimum, maximum: maximum)
    } else {
      return node
    }
    // A lazy repetition matches the same strings as a greedy one; only captures would differ.
    _ = skip("?")
    return try bounded(result)
  }

  private mutating func counts() throws(PatternError) -> (minimum: Int, maximum: Int?) {
    let start = position
    position += 1
    guard let minimum = number() else { throw error(.badRepetition, at: start) }
    var maximum: Int? = minimum
    if skip(",") { maximum = number() }
    guard skip("}"), maximum.map({ minimum <= $0 }) ?? true else { throw error(.badRepetition, at: start) }
    return (minimum, maximum)
  }

  /// Parses a decimal number, clamped to a value that exceeds every limit.
  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = peek, ("0"..."9").contains(scalar) {
      value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), Pattern.maximumInstructions + 1)
      position += 1
    }
    return value
  }

  private func bounded(_ node: PatternNode) throws(PatternError) -> PatternNode {
    guard node.size < Pattern.maximumInstructions else { throw error(.tooLarge) }
    return node
  }
}

/// The reason why a pattern is refused, and the position of the error.
public struct PatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason why a pattern is refused.
  public enum Reason: Sendable, Hashable {
    /// Lookaround: `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`.
    case lookaround
    /// A backreference: `\1`, `\k<name>`.
    case backreference
    /// Another unknown construct that begins with `(?`, such as `(?i:…)`.
    case unknownGroup
    /// A backslash before a character that has no escaped meaning.
    case unknownEscape
    /// A `\p{…}` whose name is not a general category.
    case unknownProperty(String)
    /// A `*`, `+`, `?` or `{` without an expression to repeat.
    case nothingToRepeat
    /// A `{…}` that is not `{m}`, `{m,}` or `{m,n}`, or whose m is greater than n.
    case badRepetition
    /// A `]` or `}` without its counterpart.
    case unescaped(Character)
    /// A group, class or escape that is not terminated.
    case unterminated
    /// An invalid range, such as `[z-a]` or `[\d-z]`.
    case badRange
    /// More than `Pattern.maximumInstructions` instructions, with all repetitions expanded.
    case tooLarge
    /// Groups nested more deeply than `Pattern.maximumNesting`.
    case tooDeep
  }

  /// The position in the pattern, in code points, starting at 0.
  public var position: Int
  /// The reason.
  public var reason: Reason

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - position: the position in the pattern, in code points, starting at 0.
  ///   - reason: the reason.
  public init(position: Int, reason: Reason) {
    self.position = position
    self.reason = reason
  }

  /// A message for the author of the pattern.
  public var description: String { "pattern, at \(position): \(reason)" }
}

extension PatternError.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .lookaround: "lookahead and lookbehind are not supported"
    case .backreference: "backreferences are not supported"
    case .unknownGroup: "this kind of group is not supported"
    case .unknownEscape: "unknown escape"
    case .unknownProperty(let name): "\(name) is not a general category"
    case .nothingToRepeat: "there is nothing to repeat"
    case .badRepetition: "a repetition must be {m}, {m,} or {m,n}"
    case .unescaped(let character): "\(character) must be escaped with a backslash"
    case .unterminated: "this is not terminated"
    case .badRange: "invalid character range"
    case .tooLarge: "the pattern is too large after its repetitions are expanded"
    case .tooDeep: "groups are nested too deeply"
    }
  }
}
