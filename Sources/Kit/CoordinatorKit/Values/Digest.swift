/// What is kept of something large, to tell later whether another one is the same. The same on every machine and after every restart. To
/// find two texts that have the same one takes some 2^64 tries.
///
/// It hides nothing: who knows what a text may be finds out by trying.
public struct Digest: Sendable, Hashable {
  /// How a digest is made.
  public enum Kind: Sendable, Hashable {
    /// The first 128 bits of SHA-256.
    case sha256
    /// Two FNV-1a hashes, which is what older versions have kept. Two texts with the same one are easy to make.
    case fnv1a
  }

  /// How it was made. Digests of different kinds are never equal: make another one of the kind of that which was kept.
  public let kind: Kind
  private let high: UInt64
  private let low: UInt64

  /// The digest of texts in order; where one ends and the next begins counts.
  public init(of texts: String...) { self.init(of: texts, as: .sha256) }

  /// The digest of texts in order, of the kind of one that was kept.
  public init(of texts: [String], as kind: Kind) {
    self.kind = kind
    (high, low) =
      switch kind {
      case .sha256: Self.sha256(texts)
      case .fnv1a: Self.fnv1a(texts)
      }
  }

  fileprivate init(_ kind: Kind, _ high: UInt64, _ low: UInt64) { (self.kind, self.high, self.low) = (kind, high, low) }

  /// Comes after each text. No text holds this byte, since it is not UTF-8.
  private static let end: UInt8 = 0xff

  private static func sha256(_ texts: [String]) -> (UInt64, UInt64) {
    var hash = SHA256()
    for var text in texts {
      text.withUTF8 { hash.update($0) }
      withUnsafePointer(to: end) { hash.update(UnsafeBufferPointer(start: $0, count: 1)) }
    }
    let words = hash.finish()
    return (UInt64(words[0]) << 32 | UInt64(words[1]), UInt64(words[2]) << 32 | UInt64(words[3]))
  }

  /// The second one is fed with the first, so that they do not collide together by chance.
  private static func fnv1a(_ texts: [String]) -> (UInt64, UInt64) {
    var (high, low): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f)
    func add(_ byte: UInt8) {
      high = (high ^ UInt64(byte)) &* 0x100_0000_01b3
      low = (low ^ (high >> 32) ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    for text in texts {
      for byte in text.utf8 { add(byte) }
      add(end)
    }
    return (high, low)
  }
}

extension Digest: Codable {
  private enum CodingKeys: CodingKey { case sha256, high, low }

  /// Reads a digest of either kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let text = try container.decodeIfPresent(String.self, forKey: .sha256) else {
      self.init(.fnv1a, try container.decode(UInt64.self, forKey: .high), try container.decode(UInt64.self, forKey: .low))
      return
    }
    guard let digest = Digest(hexadecimal: text.utf8[...]) else {
      throw DecodingError.dataCorruptedError(forKey: .sha256, in: container, debugDescription: "not 32 hexadecimal digits")
    }
    self = digest
  }

  /// Writes a digest as it was read.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch kind {
    case .sha256: try container.encode(Self.hexadecimal(high) + Self.hexadecimal(low), forKey: .sha256)
    case .fnv1a:
      try container.encode(high, forKey: .high)
      try container.encode(low, forKey: .low)
    }
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension Digest {
  /// The digest that a text stands for which a store has kept; there may be very many, so they are not read as any JSON is.
  ///
  /// - Parameter text: ``StoredText`` of a digest; anything else gives nil.
  package init?(stored text: String) {
    var bytes = text.utf8[...]
    if bytes.skip("{\"sha256\":\"") {
      guard let digest = Digest(hexadecimal: bytes.prefix(32)) else { return nil }
      bytes.removeFirst(32)
      guard bytes.skip("\"}"), bytes.isEmpty else { return nil }
      self = digest
      return
    }
    guard bytes.skip("{\"high\":"), let high = bytes.number(), bytes.skip(",\"low\":"), let low = bytes.number(), bytes.skip("}"),
      bytes.isEmpty
    else { return nil }
    self.init(.fnv1a, high, low)
  }

  /// The digest of today's kind that 32 digits stand for, the letters among them small.
  fileprivate init?(hexadecimal digits: Substring.UTF8View) {
    guard digits.count == 32 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(value))
    }
    self.init(.sha256, high, low)
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
