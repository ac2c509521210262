import Glibc

/// The users of the system.
enum SystemUser {
  /// Returns the number of a user; nil if there is no such user. Blocks the calling thread.
  static func number(of name: String) -> UInt32? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var size = 4_096
    while size <= 1 << 20 {
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { buffer.deallocate() }
      let status = getpwnam_r(name, &entry, buffer, size, &found)
      guard status == ERANGE else { return found == nil ? nil : entry.pw_uid }
      size *= 4
    }
    return nil
  }
}
