/// The rule that selects the plural form for a number in a language: the header field `Plural-Forms` of a catalogue.
///
/// ```
/// nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2;
/// ```
public struct PluralRule: Sendable, Hashable {
  /// The number of forms, at least 1.
  public let formCount: Int
  let expression: PluralExpression

  /// The rule of English and German, which applies to catalogues without the field: one, and other.
  public static let germanic = PluralRule(formCount: 2, expression: .binary(.notEqual, .number, .constant(1)))

  /// The greatest number of forms; Arabic has 6.
  public static let maximumFormCount = 100

  init(formCount: Int, expression: PluralExpression) {
    self.formCount = formCount
    self.expression = expression
  }

  /// Reads a rule.
  ///
  /// - Parameter field: the value of the header field.
  /// - Throws: ``PluralRuleError``.
  public init(_ field: String) throws(PluralRuleError) { self = try PluralParser.parse(field) }

  /// Returns the index of the form that a number takes.
  ///
  /// - Parameter count: the number; of a negative number, the magnitude counts.
  /// - Returns: the index, less than ``formCount``: a greater one becomes the last, and that of a division by zero the first.
  public func index(for count: Int) -> Int {
    guard let value = expression.value(for: UInt64(count.magnitude)) else { return 0 }
    return Int(min(value, UInt64(formCount - 1)))
  }
}
