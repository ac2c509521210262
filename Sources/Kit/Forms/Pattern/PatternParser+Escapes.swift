import Platform

extension PatternParser {
  enum Escape {
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
    case assertion(PatternAssertion)
  }

  /// Parses the rest of an escape after its backslash.
  mutating func escape(start: Int) throws(PatternError) -> Escape {
    switch try next() {
    case "b": return .assertion(.wordBoundary)
    case "B": return .assertion(.noWordBoundary)
    case "k", "1"..."9": throw error(.backreference, at: start)
    case let letter: return try commonEscape(letter, start: start)
    }
  }

  /// Parses the rest of an escape in a class, where `\b` is a backspace.
  private mutating func classEscape(start: Int) throws(PatternError) -> Escape {
    switch try next() {
    case "b": return .scalar("\u{8}")
    case let letter: return try commonEscape(letter, start: start)
    }
  }

  private mutating func commonEscape(_ letter: Unicode.Scalar, start: Int) throws(PatternError) -> Escape {
    switch letter {
    case "d": return .set(.digits)
    case "D": return .set(.notDigits)
    case "w": return .set(.word)
    case "W": return .set(.notWord)
    case "s": return .set(.space)
    case "S": return .set(.notSpace)
    case "p": return .set(ScalarSet(categories: try categories(start: start)))
    case "P": return .set(ScalarSet(categories: try categories(start: start).complement))
    case "t": return .scalar("\t")
    case "n": return .scalar("\n")
    case "v": return .scalar("\u{B}")
    case "f": return .scalar("\u{C}")
    case "r": return .scalar("\r")
    case "0":
      if let digit = peek, ("0"..."9").contains(digit) { throw error(.unknownEscape, at: start) }
      return .scalar("\0")
    case "c":
      guard let control = peek, ("a"..."z").contains(control) || ("A"..."Z").contains(control) else {
        throw error(.unknownEscape, at: start)
      }
      position += 1
      return .scalar(Unicode.Scalar(UInt8(control.value & 0x1F)))
    case "x": return .scalar(try scalar(try hexadecimal(digits: 2, start: start), start: start))
    case "u": return .scalar(try unicodeEscape(start: start))
    case _ where letter.isASCII && !ScalarSet.word.contains(letter) && letter.value > 0x20 && letter.value < 0x7F:
      return .scalar(letter)
    default: throw error(.unknownEscape, at: start)
    }
  }

  private mutating func categories(start: Int) throws(PatternError) -> GeneralCategories {
    guard skip("{") else { throw error(.unknownEscape, at: start) }
    var name = ""
    while true {
      let scalar = try next()
      if scalar == "}" { break }
      name.unicodeScalars.append(scalar)
    }
    guard let categories = GeneralCategories(named: name) else { throw error(.unknownProperty(name), at: start) }
    return categories
  }

  /// Parses `\u0041`, `\u{1F600}`, or the two halves of a surrogate pair: `\uD83D\uDE00`.
  private mutating func unicodeEscape(start: Int) throws(PatternError) -> Unicode.Scalar {
    if skip("{") {
      var value: UInt32 = 0
      var digits = 0
      while !skip("}") {
        value = value << 4 | (try hexadecimal(digits: 1, start: start))
        digits += 1
        guard value <= 0x10FFFF else { throw error(.unknownEscape, at: start) }
      }
      guard digits > 0 else { throw error(.unknownEscape, at: start) }
      return try scalar(value, start: start)
    }
    let value = try hexadecimal(digits: 4, start: start)
    guard (0xD800...0xDBFF).contains(value), skip("\\u") else { return try scalar(value, start: start) }
    let low = try hexadecimal(digits: 4, start: start)
    guard (0xDC00...0xDFFF).contains(low) else { throw error(.unknownEscape, at: start) }
    return try scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00), start: start)
  }

  private mutating func hexadecimal(digits: Int, start: Int) throws(PatternError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      let scalar = try next()
      guard let digit = UInt8(exactly: scalar.value)?.hexadecimalDigit else { throw error(.unknownEscape, at: start) }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private func scalar(_ value: UInt32, start: Int) throws(PatternError) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else { throw error(.unknownEscape, at: start) }
    return scalar
  }

  // MARK: Classes

  /// Parses the rest of a class after `[`.
  mutating func characterClass(start: Int) throws(PatternError) -> ScalarSet {
    var result = ScalarSet()
    if skip("^") { result.negate() }
    while !skip("]") {
      guard peek != nil else { throw error(.unterminated, at: start) }
      let itemStart = position
      let first = try classItem()
      let dash = position
      guard skip("-"), peek != "]" else {
        position = dash
        insert(first, into: &result)
        continue
      }
      guard case .scalar(let low) = first, case .scalar(let high) = try classItem(), low <= high else {
        throw error(.badRange, at: itemStart)
      }
      result.insert(low...high)
    }
    result.normalize()
    return result
  }

  private mutating func classItem() throws(PatternError) -> Escape {
    let start = position
    let scalar = try next()
    return scalar == "\\" ? try classEscape(start: start) : .scalar(scalar)
  }

  private func insert(_ item: Escape, into set: inout ScalarSet) {
    switch item {
    case .scalar(let scalar): set.insert(scalar...scalar)
    case .set(let other): set.insert(other)
    case .assertion: break
    }
  }
}

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

/// A set of code points, as a class or an escape such as `\d` denotes it.
struct ScalarSet: Sendable {
  /// The ranges; sorted and disjoint after `normalize()`.
  private var ranges: [ClosedRange<UInt32>]
  private var categories: GeneralCategories
  private var isNegated = false

  init(_ ranges: [ClosedRange<UInt32>] = [], categories: GeneralCategories = GeneralCategories()) {
    self.ranges = ranges
    self.categories = categories
  }

  mutating func insert(_ range: ClosedRange<Unicode.Scalar>) { ranges.append(range.lowerBound.value...range.upperBound.value) }

  mutating func insert(_ other: ScalarSet) {
    // The negation flag need not be merged: only whole classes are negated, and classes do not nest.
    ranges += other.ranges
    categories.formUnion(other.categories)
  }

  mutating func negate() { isNegated.toggle() }

  /// Sorts and merges the ranges, so that they can be searched.
  mutating func normalize() {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    let isListed = low < ranges.count && ranges[low].lowerBound <= scalar.value
    return (isListed || categories.contains(scalar)) != isNegated
  }
}

extension ScalarSet {
  /// The set of `.`: all code points except line terminators.
  static let anyButLineEnds = complement(of: [0xA...0xA, 0xD...0xD, 0x2028...0x2029])
  static let digits = ScalarSet([0x30...0x39])
  static let notDigits = complement(of: digits.ranges)
  static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let notWord = complement(of: word.ranges)
  static let space = ScalarSet([
    0x9...0xD, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F,
    0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  static let notSpace = complement(of: space.ranges)

  /// Returns the complement of ranges that are sorted and disjoint.
  private static func complement(of ranges: [ClosedRange<UInt32>]) -> ScalarSet {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if next < range.lowerBound { result.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    result.append(next...0x10FFFF)
    return ScalarSet(result)
  }
}
