import Platform

/// A set of Unicode general categories, as `\p{L}` denotes it.
struct GeneralCategories: Sendable {
  private var bits: UInt32 = 0

  init() {}

  /// Creates the set with the given name; nil if there is no such category.
  ///
  /// - Parameter name: the text in `\p{…}`, short (`Lu`, `L`) or long (`Uppercase_Letter`, `Letter`), spelled as in the
  ///   Unicode standard.
  init?(named name: String) {
    let name = (name.bytes.dropping(prefix: "General_Category=") ?? name.bytes.dropping(prefix: "gc=")).map { String($0) } ?? name
    let short = Self.groups[name] ?? name
    for (bit, category) in Self.all.enumerated() {
      if category.short == short || category.long == short || (short.utf8.count == 1 && category.short.bytes.hasPrefix(short)) {
        bits |= 1 << bit
      }
    }
    if short == "LC" { for part in ["Lu", "Ll", "Lt"] { formUnion(GeneralCategories(named: part) ?? GeneralCategories()) } }
    guard bits != 0 else { return nil }
  }

  mutating func formUnion(_ other: GeneralCategories) { bits |= other.bits }

  /// The set of all other categories.
  var complement: GeneralCategories {
    var result = self
    result.bits = ~bits
    return result
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    guard bits != 0, let bit = Self.bitOfCategory[scalar.properties.generalCategory] else { return false }
    return bits & (1 << bit) != 0
  }

  private static let groups = [
    "Letter": "L", "Cased_Letter": "LC", "Mark": "M", "Combining_Mark": "M", "Number": "N", "Punctuation": "P", "punct": "P",
    "Symbol": "S", "Separator": "Z", "Other": "C",
  ]

  private static let bitOfCategory = Dictionary(
    all.enumerated().map { ($0.element.category, UInt32($0.offset)) }, uniquingKeysWith: { first, _ in first })

  private static let all: [(short: String, long: String, category: Unicode.GeneralCategory)] = [
    ("Lu", "Uppercase_Letter", .uppercaseLetter), ("Ll", "Lowercase_Letter", .lowercaseLetter),
    ("Lt", "Titlecase_Letter", .titlecaseLetter), ("Lm", "Modifier_Letter", .modifierLetter),
    ("Lo", "Other_Letter", .otherLetter),
    ("Mn", "Nonspacing_Mark", .nonspacingMark), ("Mc", "Spacing_Mark", .spacingMark), ("Me", "Enclosing_Mark", .enclosingMark),
    ("Nd", "Decimal_Number", .decimalNumber), ("Nl", "Letter_Number", .letterNumber), ("No", "Other_Number", .otherNumber),
    ("Pc", "Connector_Punctuation", .connectorPunctuation), ("Pd", "Dash_Punctuation", .dashPunctuation),
    ("Ps", "Open_Punctuation", .openPunctuation), ("Pe", "Close_Punctuation", .closePunctuation),
    ("Pi", "Initial_Punctuation", .initialPunctuation), ("Pf", "Final_Punctuation", .finalPunctuation),
    ("Po", "Other_Punctuation", .otherPunctuation), ("Sm", "Math_Symbol", .mathSymbol),
    ("Sc", "Currency_Symbol", .currencySymbol), ("Sk", "Modifier_Symbol", .modifierSymbol), ("So", "Other_Symbol", .otherSymbol),
    ("Zs", "Space_Separator", .spaceSeparator), ("Zl", "Line_Separator", .lineSeparator),
    ("Zp", "Paragraph_Separator", .paragraphSeparator), ("Cc", "Control", .control), ("Cf", "Format", .format),
    ("Cs", "Surrogate", .surrogate), ("Co", "Private_Use", .privateUse), ("Cn", "Unassigned", .unassigned),
  ]
}
