/// Something that nobody can guess: 128 random bits of the system's, as 32 hexadecimal digits.
public struct Token: Sendable, Hashable {
  /// As it is sent.
  public let text: String

  /// A new one.
  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// A new one, from a generator of the caller's.
  ///
  /// - Parameter generator: Where the bits come from.
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

  /// Whether a text is this token. Takes the same time wherever the two differ.
  ///
  /// - Parameter other: What somebody sent.
  /// - Returns: Whether it is the same.
  public func matches(_ other: String?) -> Bool {
    guard let other, other.utf8.count == text.utf8.count else { return false }
    return zip(text.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
