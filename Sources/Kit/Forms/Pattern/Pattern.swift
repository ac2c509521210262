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
