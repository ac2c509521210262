import CCrypt
import Glibc

/// libxcrypt: crypt(3). Blocks for as long as the setting asks for.
enum Crypt {
  /// Hashes a phrase, and wipes what that took.
  ///
  /// - Parameters:
  ///   - phrase: what to hash.
  ///   - setting: how to hash it: a setting, or a whole hash.
  ///   - body: is given the hash, valid until it returns; nil if the setting or the phrase is not one that can be used.
  /// - Returns: what `body` returns.
  static func withHash<Product>(
    of phrase: UnsafePointer<CChar>, setting: String, _ body: (UnsafePointer<CChar>?) -> Product
  ) -> Product {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(ccrypt_data_size()), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    defer {
      // A call that the compiler may not leave out, other than stores to memory that nobody reads again.
      if let start = memory.baseAddress { explicit_bzero(start, memory.count) }
      memory.deallocate()
    }
    return body(crypt_rn(phrase, setting, memory.baseAddress, Int32(memory.count)))
  }

  /// Whether the library knows the method of a hash, and does not hold it for outdated, as DES and MD5 are.
  static func isSound(_ setting: String) -> Bool { crypt_checksalt(setting) == CRYPT_SALT_OK }

  /// A new setting, with a salt of its own.
  ///
  /// - Parameters:
  ///   - prefix: the method.
  ///   - cost: how much work it is to be, as the method counts it.
  /// - Returns: the setting; nil if the system has no random numbers to give.
  static func newSetting(prefix: String, cost: UInt) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CRYPT_GENSALT_OUTPUT_SIZE)) { output in
      crypt_gensalt_rn(prefix, cost, nil, 0, output.baseAddress, Int32(output.count)).map { String(cString: $0) }
    }
  }
}
