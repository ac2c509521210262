import Platform

/// A number at the start of a text, as `strtol` reads it.
struct CNumber: Sendable, Hashable {
  /// The number, clamped to 64 bits.
  var value: Int
  /// The length in bytes, with the white space and the sign before the number; 0 if there is no number.
  var length: Int

  /// Reads a number.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - anyBase: whether `0x` begins a hexadecimal and `0` an octal number.
  init(_ text: ProgramText, anyBase: Bool = false) {
    let bytes = text.bytes
    var index = bytes.firstIndex { !$0.isASCIISpace } ?? bytes.count
    var isNegative = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    var base = 10
    if anyBase, index < bytes.count, bytes[index] == UInt8(ascii: "0") {
      base = 8
      if index + 2 < bytes.count, bytes[index + 1].asciiLowercased == UInt8(ascii: "x"),
        Self.digit(bytes[index + 2], base: 16) != nil
      {
        base = 16
        index += 2
      }
    }
    let start = index
    var value = 0
    while index < bytes.count, let digit = Self.digit(bytes[index], base: base) {
      let (product, overflowed) = value.multipliedReportingOverflow(by: base)
      value = overflowed ? .max : product.addingReportingOverflow(digit).overflow ? .max : product + digit
      index += 1
    }
    self.value = isNegative ? -value : value
    length = index == start ? 0 : index
  }

  /// Returns the number if it is the whole text, which may be empty, as the check `*end == 0` does; nil if other characters
  /// follow it.
  static func whole(_ text: ProgramText, anyBase: Bool = false) -> Int? {
    let number = CNumber(text, anyBase: anyBase)
    return number.length == text.bytes.count ? number.value : nil
  }

  /// Returns the same number, clamped to the range of a C `int`, to which the programs convert it.
  static func int(_ text: ProgramText, anyBase: Bool = false) -> Int? {
    whole(text, anyBase: anyBase).map { Int(Int32(truncatingIfNeeded: $0)) }
  }

  private static func digit(_ byte: UInt8, base: Int) -> Int? {
    let value: Int
    switch byte.asciiLowercased {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(byte) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = Int(byte.asciiLowercased) - 87
    default: return nil
    }
    return value < base ? value : nil
  }
}
