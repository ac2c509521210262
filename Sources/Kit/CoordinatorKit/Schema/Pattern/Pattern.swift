/// A regular expression that is matched in time linear in the text, whatever the expression.
///
/// The syntax is that of JSON Schema, ECMA-262 with the `u` flag: literals, `.`, classes, `\d` `\w` `\s`, `\p{…}` of general
/// categories, `^` `$` `\b` `\B`, groups, `|`, `*` `+` `?` `{m,n}`, escapes. What needs backtracking is refused: backreferences and
/// lookaround. Groups capture nothing. A text is searched for the pattern; `^` and `$` tie it to the ends.
public struct Pattern: Sendable {
  /// More instructions than this, with every repetition written out, are refused.
  public static let maximumInstructions = 10_000
  /// More groups within groups than this are refused.
  public static let maximumNesting = 50

  /// The pattern as it was written.
  public let source: String
  private let compiled: Result<PatternProgram, PatternError>

  /// Compiles a pattern that is not written in the source, where a literal will do.
  ///
  /// - Parameter source: the pattern, without delimiters.
  /// - Throws: `PatternError`, which says where and why.
  public init(compiling source: String) throws(PatternError) {
    self.init(keeping: source)
    if let error { throw error }
  }

  private init(keeping source: String) {
    self.source = source
    compiled = Result { () throws(PatternError) -> PatternProgram in try PatternProgram(source) }
  }

  /// Why the pattern matches nothing; nil if it is a good one. Only a literal can have an error, and a schema with it is refused.
  public var error: PatternError? { if case .failure(let error) = compiled { error } else { nil } }

  /// Upper bound of the steps that are taken for each code point of a text.
  public var stepsPerScalar: Int { (try? compiled.get().instructions.count) ?? 0 }

  /// Whether the pattern occurs in `text`. Takes at most `stepsPerScalar` steps for each code point, and one time more.
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
  /// Compiles a pattern that stands in a flow's source. If it is a bad one, it says so as `error`, and a schema that holds it is
  /// refused by `Schema.validate()`.
  public init(stringLiteral source: String) { self.init(keeping: source) }
}

extension Pattern: Hashable {
  /// Two patterns are equal if they were written alike.
  public static func == (left: Pattern, right: Pattern) -> Bool { left.source == right.source }

  /// Hashes the source.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

extension Pattern: CustomStringConvertible {
  /// The pattern as it was written.
  public var description: String { source }
}
