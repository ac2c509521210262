/// An unguessable token: 128 bits from the system's random number generator, as 32 hexadecimal digits.
public struct Token: Sendable, Hashable {
  /// The hexadecimal digits.
  public let text: String

  /// Creates a random token.
  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// Creates a token from a given generator.
  ///
  /// - Parameter generator: source of the random bits.
  init(using generator: inout some RandomNumberGenerator) {
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for _ in 0..<2 {
      var bits: UInt64 = generator.next()
      for _ in 0..<16 {
        bytes.append(digits[Int(bits & 15)])
        bits >>= 4
      }
    }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Compares a string with the token in constant time.
  ///
  /// - Parameter other: string to compare.
  /// - Returns: whether the string equals the token.
  public func matches(_ other: String?) -> Bool {
    guard let other, other.utf8.count == text.utf8.count else { return false }
    return zip(text.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
