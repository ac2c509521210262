/// A digest of strings, to determine later whether others are the same. It is the same on every machine and after every
/// restart. Finding two strings with the same digest takes about 2^64 attempts.
///
/// A digest does not hide the strings: they can be found by trying likely candidates.
public struct Digest: Sendable, Hashable {
  /// The algorithm of a digest.
  public enum Kind: Sendable, Hashable {
    /// The first 128 bits of SHA-256.
    case sha256
    /// Two FNV-1a hashes, as stored by older versions. Collisions are easy to construct.
    case fnv1a
  }

  /// The algorithm of the digest. Digests of different kinds are never equal; to compare with a stored digest, create
  /// one of its kind.
  public let kind: Kind
  private let high: UInt64
  private let low: UInt64

  /// Creates the digest of strings in order. The boundaries between the strings are significant.
  public init(of texts: String...) { self.init(of: texts, as: .sha256) }

  /// Creates the digest of strings in order, of the same kind as a stored digest.
  public init(of texts: [String], as kind: Kind) {
    self.kind = kind
    (high, low) =
      switch kind {
      case .sha256: Self.sha256(texts)
      case .fnv1a: Self.fnv1a(texts)
      }
  }

  fileprivate init(_ kind: Kind, _ high: UInt64, _ low: UInt64) { (self.kind, self.high, self.low) = (kind, high, low) }

  /// The terminator of each string. This byte does not occur in strings, because it is not valid UTF-8.
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

  /// The first hash is an input of the second, so that the two do not collide together by chance.
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

  /// Decodes a digest of either kind.
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

  /// Encodes a digest in the form of its kind.
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
  /// Decodes a stored digest; nil if the string does not encode one. Bypasses the general JSON decoder, because there
  /// may be very many digests.
  ///
  /// - Parameter text: the ``StoredText`` of a digest.
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

  /// Creates a SHA-256 digest from 32 lower-case hexadecimal digits.
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
  /// Removes a prefix.
  ///
  /// - Returns: whether the prefix was present.
  fileprivate mutating func skip(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      guard starts(with: text) else { return false }
      removeFirst(text.count)
      return true
    }
  }

  /// Removes leading digits, and returns their value; nil if there are none or the value is too large.
  fileprivate mutating func number() -> UInt64? {
    let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    removeFirst(digits.count)
    return UInt64(Substring(digits))
  }
}
