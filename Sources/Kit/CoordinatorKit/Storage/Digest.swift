/// A digest of strings, which shows later whether other strings are the same. It is the same on every machine and after every
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

  /// The first hash is an input of the second, so that both do not collide together by chance.
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

/// An incremental implementation of SHA-256 according to FIPS 180-4.
struct SHA256: Sendable {
  private var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
  /// The bytes after the last complete block.
  private var rest: [UInt8] = []
  private var length: UInt64 = 0

  private static let blockSize = 64

  /// Creates a hash of no bytes.
  init() { rest.reserveCapacity(Self.blockSize) }

  /// Adds bytes.
  mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    length += UInt64(bytes.count)
    var bytes = bytes[...]
    if !rest.isEmpty {
      let missing = bytes.prefix(Self.blockSize - rest.count)
      rest += missing
      bytes = bytes.dropFirst(missing.count)
      guard rest.count == Self.blockSize else { return }
      takeRest()
    }
    while bytes.count >= Self.blockSize {
      Self.compress(UnsafeBufferPointer(rebasing: bytes.prefix(Self.blockSize)), into: &state)
      bytes = bytes.dropFirst(Self.blockSize)
    }
    rest += bytes
  }

  /// Completes the hash.
  ///
  /// - Returns: the eight words of the digest.
  consuming func finish() -> SIMD8<UInt32> {
    rest.append(0x80)
    if rest.count > Self.blockSize - 8 {
      rest += repeatElement(0, count: Self.blockSize - rest.count)
      takeRest()
    }
    rest += repeatElement(0, count: Self.blockSize - 8 - rest.count)
    let bits = length &* 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) { rest.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    takeRest()
    return state
  }

  private mutating func takeRest() {
    rest.withUnsafeBufferPointer { Self.compress($0, into: &state) }
    rest.removeAll(keepingCapacity: true)
  }

  // MARK: A block

  private static func compress(_ block: UnsafeBufferPointer<UInt8>, into state: inout SIMD8<UInt32>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for index in 0..<16 {
        let at = index &* 4
        words[index] =
          UInt32(block[at]) << 24 | UInt32(block[at &+ 1]) << 16 | UInt32(block[at &+ 2]) << 8 | UInt32(block[at &+ 3])
      }
      for index in 16..<64 {
        let (early, late) = (words[index &- 15], words[index &- 2])
        let one = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
        let other = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
        words[index] = words[index &- 16] &+ one &+ words[index &- 7] &+ other
      }
      state = constants.withUnsafeBufferPointer { rounds(UnsafeBufferPointer(words), $0, state) }
    }
  }

  private static func rounds(
    _ words: UnsafeBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>, _ state: SIMD8<UInt32>
  ) -> SIMD8<UInt32> {
    var (a, b, c, d, e, f, g, h) = (state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let chosen = (e & f) ^ (~e & g)
      let first = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ chosen &+ constants[index] &+ words[index]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    return state &+ SIMD8(a, b, c, d, e, f, g, h)
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
