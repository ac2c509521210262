import Platform

/// Formats and parses numbers with the decimal separator and the digit grouping of the current language.
package enum DecimalNumber {
  private static var separator: String {
    // TRANSLATORS: The sign before the decimals, as in 3.5; a comma in most languages.
    Text(".", context: "decimal separator").string
  }

  private static var grouping: String {
    // TRANSLATORS: The sign between groups of three digits, as in 12,000; in many languages a full stop or a space.
    Text(",", context: "digit grouping").string
  }

  /// Returns a number in JSON's form as readers of the current language write it.
  ///
  /// - Parameter plain: the number, such as `3.5`. Characters other than digits, a sign and a full stop stay unchanged.
  /// - Returns: the number, such as `3,5`.
  package static func text(of plain: String) -> String {
    let separator = separator
    guard separator != ".", plain.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") })
    else { return plain }
    return plain.bytes.split(separator: ".", omittingEmptySubsequences: false).joined(separator: separator)
  }

  /// Returns a count as readers write it: in groups of three digits from 10,000 on; smaller numbers are legible without groups.
  ///
  /// - Parameter count: the count.
  /// - Returns: the digits.
  package static func text(of count: Int) -> String {
    let digits = Array(String(count.magnitude).utf8)
    guard digits.count > 4 else { return String(count) }
    let grouping = grouping
    var text = count < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += grouping }
      text.unicodeScalars.append(Unicode.Scalar(digit))
    }
    return text
  }

  /// Returns a number that a user typed in JSON's form, so that it can be parsed.
  ///
  /// - Parameter typed: the typed text. A full stop is accepted before decimals in every language, unless the language uses it
  ///   to group digits and it stands at such a place; text that is not a number stays unchanged.
  /// - Returns: the number, such as `3.5`.
  package static func plain(_ typed: String) -> String {
    guard let separator = separator.first, let grouping = grouping.first else { return typed }
    let parts = typed.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return typed }
    let whole = parts[0].filter { !isSpace($0) || !isSpace(grouping) }
    let groups = whole.split(omittingEmptySubsequences: false) { $0 == grouping }
    let isGrouped =
      groups.count > 1 && groups.dropFirst().allSatisfy { $0.count == 3 && $0.utf8.allSatisfy(isDigit) }
      && (1...3).contains(groups[0].utf8.count { isDigit($0) })
    let digits = isGrouped ? groups.joined() : whole
    return parts.count == 2 ? digits + "." + parts[1] : digits
  }

  /// How well a JSON number of the flow holds a number: an integer of 64 bits, or a `Double`.
  package enum Fit: Sendable, Hashable {
    case exact, rounded, tooLarge
  }

  /// Returns how well a number can be held: exactly if it is an integer of 64 bits, or a `Double` with the same digits.
  ///
  /// - Parameter plain: the number in JSON's form, such as `3.5`; a plus sign and leading zeros are accepted.
  /// - Returns: the fit; nil if the text is not a number.
  package static func fit(of plain: String) -> Fit? {
    guard plain.utf8.allSatisfy({ isDigit($0) || ".-+eE".utf8.contains($0) }), let number = Double(plain) else { return nil }
    guard number.isFinite else { return .tooLarge }
    if Int64(plain) != nil { return .exact }
    return Digits(plain) == Digits("\(number)") ? .exact : .rounded
  }

  /// The magnitude of a number as digits without zeros at either end, and the power of ten of the last one.
  private struct Digits: Equatable {
    var digits: ArraySlice<UInt8>
    var exponent: Int

    init?(_ plain: String) {
      let parts = plain.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
      guard let mantissa = parts.first, let power = parts.count == 1 ? 0 : Int32(Substring(parts[1])) else { return nil }
      let fraction = mantissa.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
        .first
      digits = mantissa.filter(DecimalNumber.isDigit).drop { $0 == UInt8(ascii: "0") }
      exponent = Int(power) - (fraction?.count ?? 0)
      while digits.last == UInt8(ascii: "0") {
        digits.removeLast()
        exponent += 1
      }
      if digits.isEmpty { exponent = 0 }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func isSpace(_ character: Character) -> Bool { character.isWhitespace }
}
