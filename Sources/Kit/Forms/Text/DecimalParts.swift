import Platform

/// The parts of a `Decimal` of Foundation, as its `init(from:)` expects them.
struct DecimalParts {
  private var mantissa: UInt128 = 0
  private var exponent = 0
  private var isNegative = false

  /// Reads a number of JSON, rounding it to 38 digits towards zero; returns nil if its exponent is out of range.
  ///
  /// - Parameter text: the number in its JSON form.
  init?(_ text: String) {
    let parts = text.bytes.lowercased.bytes.split(separator: "e", maxSplits: 1)
    guard let digits = parts.first, let power = parts.count > 1 ? Int(parts[1]) : 0, abs(power) < 1_000 else { return nil }
    var (isFraction, isFull) = (false, false)
    for character in digits.utf8 {
      switch character {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      default:
        let (product, isOverflow) = mantissa.multipliedReportingOverflow(by: 10)
        let (sum, isMoreOverflow) = product.addingReportingOverflow(UInt128(character &- UInt8(ascii: "0")))
        isFull = isFull || isOverflow || isMoreOverflow
        if !isFull { mantissa = sum }
        if isFull != isFraction { exponent += isFull ? 1 : -1 }
      }
    }
    exponent += power
    // Compact: without trailing zeros.
    while mantissa != 0, mantissa.isMultiple(of: 10) {
      mantissa /= 10
      exponent += 1
    }
    while exponent > 127, mantissa <= .max / 10 {
      mantissa *= 10
      exponent -= 1
    }
    if mantissa == 0 { (exponent, isNegative) = (0, false) }
    guard (-128...127).contains(exponent) else { return nil }
  }

  /// The parts as JSON.
  var tree: JSONTree {
    let words = (0..<8).map { Int64(truncatingIfNeeded: mantissa >> ($0 * 16) & 0xFFFF) }
    let length = Int64((words.lastIndex { $0 != 0 } ?? -1) + 1)
    return .object([
      "exponent": .integer(Int64(exponent)), "length": .integer(length), "isNegative": .boolean(isNegative),
      "isCompact": .boolean(true), "mantissa": .array(words.map { .integer($0) }),
    ])
  }
}
