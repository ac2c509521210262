/// What is kept of something large, to tell later whether another one is the same. The same on every machine and after every restart.
///
/// Not for keeping attackers out: who can choose both texts can make their digests equal, and only misleads himself.
public struct Digest: Sendable, Hashable, Codable {
  private var high: UInt64 = 0xcbf2_9ce4_8422_2325
  private var low: UInt64 = 0x9ae1_6a3b_2f90_404f

  /// The digest of texts in order; where one ends and the next begins counts.
  public init(of texts: String...) {
    for text in texts {
      for byte in text.utf8 { add(byte) }
      // No text holds this byte, since it is not UTF-8.
      add(0xff)
    }
  }

  /// Two FNV-1a hashes, the second one fed with the first, so that they do not collide together.
  private mutating func add(_ byte: UInt8) {
    high = (high ^ UInt64(byte)) &* 0x100_0000_01b3
    low = (low ^ (high >> 32) ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}

extension Digest {
  /// The digest that a text stands for which a store has kept; there may be very many, so they are not read as any JSON is.
  ///
  /// - Parameter text: ``StoredText`` of a digest; anything else gives nil.
  package init?(stored text: String) {
    var bytes = text.utf8[...]
    guard bytes.skip("{\"high\":"), let high = bytes.number(), bytes.skip(",\"low\":"), let low = bytes.number(), bytes.skip("}"),
      bytes.isEmpty
    else { return nil }
    (self.high, self.low) = (high, low)
  }
}

extension Substring.UTF8View {
  /// Takes a text away from the beginning.
  ///
  /// - Returns: whether it was there.
  fileprivate mutating func skip(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      guard starts(with: text) else { return false }
      removeFirst(text.count)
      return true
    }
  }

  /// Takes digits away from the beginning; nil if there are none, or too many.
  fileprivate mutating func number() -> UInt64? {
    let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    removeFirst(digits.count)
    return UInt64(Substring(digits))
  }
}
