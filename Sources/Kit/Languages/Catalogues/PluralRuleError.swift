/// The reason why the header field `Plural-Forms` cannot be read, and the position of the error.
public struct PluralRuleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason.
  public enum Reason: Sendable, Hashable {
    /// This text is expected here.
    case expected(String)
    /// The character is not part of an expression.
    case unexpected
    /// There are no forms, or more than ``PluralRule/maximumFormCount``.
    case formCount
    /// The expression is nested too deeply.
    case tooDeep
    /// A constant does not fit into 64 bits.
    case tooLarge
  }

  /// The position in the field, in bytes, starting at 0.
  public let position: Int
  /// The reason.
  public let reason: Reason

  /// A message for the author of the field.
  public var description: String { "Plural-Forms, at \(position): \(reason)" }
}

extension PluralRuleError.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .expected(let token): "expected '\(token)'"
    case .unexpected: "expected 'n', a number, or an operator"
    case .formCount: "the number of forms must be between 1 and \(PluralRule.maximumFormCount)"
    case .tooDeep: "the expression is nested too deeply"
    case .tooLarge: "the number is too large"
    }
  }
}
