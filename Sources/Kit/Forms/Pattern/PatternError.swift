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
