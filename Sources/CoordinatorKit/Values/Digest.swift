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
