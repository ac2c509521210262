import Glibc

/// The users and groups of the system, regardless of the database that stores them, such as local files or a server.
enum SystemDatabase {
  /// Returns the ids of a user's groups, including the primary one; nil if there is no such user or the lookup fails.
  /// Blocks the calling thread.
  ///
  /// Source: getgrouplist(3).
  static func groups(ofUser number: UInt32) -> Set<UInt32>? {
    var entry = passwd()
    let (_, user) = read { buffer, size, found in
      getpwuid_r(number, &entry, buffer, size, &found)
    } value: { (user: passwd) in
      user.pw_name.map { (name: String(cString: $0), group: user.pw_gid) }
    }
    guard let user = user ?? nil else { return nil }
    var groups = [gid_t](repeating: 0, count: 64)
    while true {
      var count = Int32(groups.count)
      if getgrouplist(user.name, user.group, &groups, &count) >= 0 { return Set(groups.prefix(Int(count))) }
      // 65,536 is `NGROUPS_MAX` on Linux.
      guard count > groups.count, count <= 65_536 else { return nil }
      groups = [gid_t](repeating: 0, count: Int(count))
    }
  }

  /// Reads an entry with a buffer that grows as needed.
  ///
  /// - Parameters:
  ///   - lookUp: a reentrant lookup function, whose name ends in `_r`.
  ///   - value: extracts a value from the entry while the buffer exists.
  /// - Returns: the status of the last call, and the value if there is an entry.
  static func read<Entry, Value>(
    _ lookUp: (UnsafeMutablePointer<CChar>, Int, inout UnsafeMutablePointer<Entry>?) -> Int32, value: (Entry) -> Value
  ) -> (status: Int32, value: Value?) {
    var size = 4_096
    while true {
      var found: UnsafeMutablePointer<Entry>?
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { buffer.deallocate() }
      let status = lookUp(buffer, size, &found)
      let result = found.map { value($0.pointee) }
      guard status == ERANGE, size < 16 << 20 else { return (status, result) }
      size *= 4
    }
  }
}
