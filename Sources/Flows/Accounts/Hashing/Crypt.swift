import CCrypt
import Glibc

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
