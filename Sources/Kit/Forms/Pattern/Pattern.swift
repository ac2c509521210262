/// A regular expression that is always matched in time linear in the length of the string.
///
/// The syntax is that of JSON Schema (ECMA-262 with the `u` flag): literals, `.`, classes, `\d` `\w` `\s`, `\p{…}` with
/// general categories, `^` `$` `\b` `\B`, groups, `|`, `*` `+` `?` `{m,n}`, and escapes. Constructs that need
/// backtracking, namely backreferences and lookaround, are refused. Groups do not capture. The pattern may match
/// anywhere in the string; `^` and `$` anchor it to the ends.
public struct Pattern: Sendable {
  /// The maximum number of instructions, with all repetitions expanded. Longer patterns are refused.
  public static let maximumInstructions = 10_000
  /// The maximum nesting depth of groups. Patterns with deeper nesting are refused.
  public static let maximumNesting = 50

  /// The source of the pattern.
  public let source: String
  private let compiled: Result<PatternProgram, PatternError>

  /// Compiles a pattern that is only known at run time. Use a literal for a pattern in the source of a flow.
  ///
  /// - Parameter source: the pattern, without delimiters.
  /// - Throws: ``PatternError`` with the position and the reason.
  public init(compiling source: String) throws(PatternError) {
    self.init(keeping: source)
    if let error { throw error }
  }

  private init(keeping source: String) {
    self.source = source
    compiled = Result { () throws(PatternError) -> PatternProgram in try PatternProgram(source) }
  }

  /// The reason why the pattern is invalid and matches nothing; nil if it is valid. Only a literal can be invalid; a
  /// schema with an invalid pattern is refused.
  public var error: PatternError? { if case .failure(let error) = compiled { error } else { nil } }

  /// An upper bound for the number of steps per code point of a string.
  public var stepsPerScalar: Int { (try? compiled.get().instructions.count) ?? 0 }

  /// Returns whether the pattern occurs in `text`. Takes at most `stepsPerScalar` steps for each code point, plus
  /// `stepsPerScalar` steps at the end.
  public func matches(_ text: String) -> Bool {
    var steps = 0
    return matches(text, steps: &steps)
  }

  func matches(_ text: String, steps: inout Int) -> Bool {
    guard case .success(let program) = compiled else { return false }
    var matcher = PatternMatcher(program)
    defer { steps = matcher.steps }
    return matcher.search(text.unicodeScalars)
  }
}

extension Pattern: ExpressibleByStringLiteral {
  /// Compiles a pattern in the source of a flow. If it is invalid, `error` is the reason, and `Schema.validate()`
  /// refuses any schema that contains it.
  public init(stringLiteral source: String) { self.init(keeping: source) }
}

extension Pattern: Hashable {
  /// Returns whether two patterns have the same source.
  public static func == (left: Pattern, right: Pattern) -> Bool { left.source == right.source }

  /// Hashes the source.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

extension Pattern: CustomStringConvertible {
  /// The source of the pattern.
  public var description: String { source }
}

/// Runs a program over a string, following all possible matches in lockstep: each instruction is visited at most once
/// between two code points.
struct PatternMatcher {
  private let program: PatternProgram
  /// The number of instructions visited so far.
  private(set) var steps = 0

  /// The instructions after a code point that was just read.
  private var arrivals: [Int] = []
  /// The instructions that wait for a code point.
  private var waiting: [Int] = []
  private var pending: [Int] = []
  /// The last position at which each instruction was visited.
  private var visitedAt: [Int]

  init(_ program: PatternProgram) {
    self.program = program
    visitedAt = Array(repeating: -1, count: program.instructions.count)
  }

  /// Returns whether the pattern occurs in a string.
  mutating func search(_ text: String.UnicodeScalarView) -> Bool {
    var previous: Unicode.Scalar?
    var index = text.startIndex
    var place = 0
    while true {
      let next = index < text.endIndex ? text[index] : nil
      if place == 0 || !program.isAnchored { arrivals.append(0) }
      if follow(from: previous, to: next, place: place) { return true }
      guard let next, !(waiting.isEmpty && program.isAnchored) else { return false }
      read(next)
      previous = next
      text.formIndex(after: &index)
      place += 1
    }
  }

  /// Follows all arrivals until each waits for a code point; returns true if one of them reaches the end of the
  /// pattern.
  private mutating func follow(from previous: Unicode.Scalar?, to next: Unicode.Scalar?, place: Int) -> Bool {
    waiting.removeAll(keepingCapacity: true)
    swap(&pending, &arrivals)
    arrivals.removeAll(keepingCapacity: true)
    while var address = pending.popLast() {
      // Stops at an instruction that was already visited at this position, and at one that waits: its address does not
      // change, so the next iteration finds it visited.
      while visitedAt[address] != place {
        visitedAt[address] = place
        steps += 1
        switch program.instructions[address] {
        case .match: return true
        case .scalar, .set: waiting.append(address)
        case .assertion(let assertion): if holds(assertion, from: previous, to: next) { address += 1 }
        case .split(let other):
          pending.append(other)
          address += 1
        case .jump(let target): address = target
        }
      }
    }
    return false
  }

  private mutating func read(_ scalar: Unicode.Scalar) {
    for address in waiting {
      let isAccepted =
        switch program.instructions[address] {
        case .scalar(let expected): expected == scalar
        case .set(let index): program.sets[index].contains(scalar)
        default: false
        }
      if isAccepted { arrivals.append(address + 1) }
    }
  }

  private func holds(_ assertion: PatternAssertion, from previous: Unicode.Scalar?, to next: Unicode.Scalar?) -> Bool {
    let isBoundary = (previous.map(ScalarSet.word.contains) ?? false) != (next.map(ScalarSet.word.contains) ?? false)
    return switch assertion {
    case .start: previous == nil
    case .end: next == nil
    case .wordBoundary: isBoundary
    case .noWordBoundary: !isBoundary
    }
  }
}
