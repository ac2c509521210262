/// Why a pattern is refused, and where.
public struct PatternError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`.
    case lookaround
    /// `\1`, `\k<name>`.
    case backreference
    /// `(?i:…)`, and whatever else begins with `(?` and is unknown.
    case unknownGroup
    /// A backslash before something that has no meaning with it.
    case unknownEscape
    /// `\p{…}` of something that is no general category.
    case unknownProperty(String)
    /// `*`, `+`, `?` or `{` where nothing stands that could be repeated.
    case nothingToRepeat
    /// `{…}` that is none of `{m}`, `{m,}`, `{m,n}`, or has m greater than n.
    case badRepetition
    /// `]` or `}` without its counterpart.
    case unescaped(Character)
    /// A group, a class or an escape that does not end.
    case unterminated
    /// `[z-a]`, `[\d-z]`.
    case badRange
    /// With every repetition written out, more than `Pattern.maximumInstructions`.
    case tooLarge
    /// More than `Pattern.maximumNesting` groups within groups.
    case tooDeep
  }

  /// Where in the pattern, in code points from 0.
  public var position: Int
  /// What is wrong.
  public var reason: Reason

  /// - Parameters:
  ///   - position: where in the pattern, in code points from 0.
  ///   - reason: what is wrong.
  public init(position: Int, reason: Reason) {
    self.position = position
    self.reason = reason
  }

  /// A sentence for the author of the pattern.
  public var description: String { "pattern, at \(position): \(reason)" }
}

extension PatternError.Reason: CustomStringConvertible {
  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .lookaround: "lookahead and lookbehind are not supported"
    case .backreference: "backreferences are not supported"
    case .unknownGroup: "this kind of group is not supported"
    case .unknownEscape: "this escape has no meaning"
    case .unknownProperty(let name): "\(name) is no general category"
    case .nothingToRepeat: "there is nothing to repeat"
    case .badRepetition: "a repetition is {m}, {m,} or {m,n}"
    case .unescaped(let character): "\(character) needs a backslash"
    case .unterminated: "this does not end"
    case .badRange: "this is no range of characters"
    case .tooLarge: "it is too large, with its repetitions written out"
    case .tooDeep: "too many groups within groups"
    }
  }
}
