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

  /// Compares a string with the code in constant time.
  func matches(_ other: String) -> Bool {
    guard other.utf8.count == text.utf8.count else { return false }
    return zip(text.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether a path could be the address of a code. It need not be valid.
  static func isPath(_ path: [String]) -> Bool {
    path.count == 1 && path[0].utf8.count == length && path[0].utf8.allSatisfy(digits.contains)
  }
}
