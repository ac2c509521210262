import CCrypt
import Glibc
import Platform

/// Hashes names without an account, with a salt that makes the hashes useless elsewhere.
struct NameHasher: Sendable, Hashable {
  private static let method = "$5$"
  /// The minimum that the method supports, which takes 0.3 ms. Each check of a password waits for it.
  private static let rounds: UInt = 1_000

  /// The method, cost and salt in the format of crypt(3).
  let setting: String

  /// Creates a hasher with a new salt. Uses crypt(3), because it is available, salted and one-way.
  init() {
    // Without random numbers, a publicly known salt is used: on a system in that state, this is better than no log-in.
    setting = Crypt.newSetting(prefix: Self.method, cost: Self.rounds) ?? "\(Self.method)rounds=\(Self.rounds)$coordinatord"
  }

  /// Creates a hasher with a stored setting; nil if the setting is not of this kind.
  init?(setting: String) {
    let start = "\(Self.method)rounds=\(Self.rounds)$"
    let isSalt = setting.utf8.dropFirst(start.utf8.count).allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "$") }
    guard setting.bytes.hasPrefix(start), setting.utf8.count > start.utf8.count, isSalt else { return nil }
    self.setting = setting
  }

  /// Returns the hash of a name, without the setting. Names longer than crypt(3) supports are distinguished by their
  /// first 256 bytes.
  func callAsFunction(_ name: String) -> String {
    let bytes = name.utf8.prefix(256).map { CChar(bitPattern: $0) } + [0]
    return Crypt.withHash(of: bytes, setting: setting) { hash in
      hash.flatMap { String(cString: $0).bytes.split(separator: "$").last.map(String.init) } ?? ""
    }
  }
}

/// Bindings to crypt(3) in libxcrypt. Calls block for as long as the setting requires.
enum Crypt {
  /// Hashes a phrase, and wipes the working memory.
  ///
  /// - Parameters:
  ///   - phrase: the phrase to hash.
  ///   - setting: the method, cost and salt: a setting, or a complete hash.
  ///   - body: receives the hash, which is valid until `body` returns; nil if the setting or the phrase is invalid.
  /// - Returns: the value that `body` returns.
  static func withHash<Product>(
    of phrase: UnsafePointer<CChar>, setting: String, _ body: (UnsafePointer<CChar>?) -> Product
  ) -> Product {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(ccrypt_data_size()), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    defer {
      // The compiler may remove ordinary stores to memory that is not read again, but not this call.
      if let start = memory.baseAddress { explicit_bzero(start, memory.count) }
      memory.deallocate()
    }
    return body(crypt_rn(phrase, setting, memory.baseAddress, Int32(memory.count)))
  }

  /// Returns whether the library supports the method of a hash and does not consider it outdated, as DES and MD5 are.
  static func isSound(_ setting: String) -> Bool { crypt_checksalt(setting) == CRYPT_SALT_OK }

  /// Creates a setting with a new salt.
  ///
  /// - Parameters:
  ///   - prefix: the prefix of the method.
  ///   - cost: the cost, in units of the method.
  /// - Returns: the setting, or nil if the system cannot provide random numbers.
  static func newSetting(prefix: String, cost: UInt) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CRYPT_GENSALT_OUTPUT_SIZE)) { output in
      crypt_gensalt_rn(prefix, cost, nil, 0, output.baseAddress, Int32(output.count)).map { String(cString: $0) }
    }
  }
}
