import Platform

/// An unguessable code in an address that is scanned or typed: 130 bits from the system's random number generator, as 26
/// letters and digits that are short in a QR code and hard to confuse.
public struct EntryCode: Sendable, Hashable {
  /// The letters and digits, in uppercase.
  public let text: String

  /// The digits of Crockford's base 32, which has no I, L, O and U.
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  static let length = 26

  /// Creates a random code.
  public init() {
    var generator = SystemRandomNumberGenerator()
    text = String(decoding: (0..<Self.length).map { _ in Self.digits[Int(generator.next() & 31 as UInt64)] }, as: UTF8.self)
  }

  /// Returns whether a string equals the code, in constant time. The string must be in the usual form of codes: see
  /// ``typed(_:)``.
  func matches(_ other: String) -> Bool {
    guard other.utf8.count == text.utf8.count else { return false }
    return zip(text.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Parses typed text as a code. As in Crockford's specification, case and hyphens are ignored, and letters that look like
  /// digits are those digits.
  ///
  /// - Returns: the code in its usual form, which need not be valid; nil if the text is not a code.
  static func typed(_ text: String) -> String? {
    let digits = text.bytes.uppercased.utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "-"): nil
      case UInt8(ascii: "O"): UInt8(ascii: "0")
      case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
      default: byte
      }
    }
    guard digits.count == length, digits.allSatisfy(Self.digits.contains) else { return nil }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Reads the path of an address with a code; nil if it has another form.
  static func inPath(_ path: [String]) -> String? { path.count == 1 ? typed(path[0]) : nil }
}
