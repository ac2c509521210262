import Glibc

/// The processes of the system.
enum ProcessTable {
  /// Returns the parent of a process; nil if the process has ended.
  static func parent(of process: pid_t) -> pid_t? {
    // The name, in parentheses, may contain any characters.
    let fields = Files.content("/proc/\(process)/stat")
    guard let end = fields.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let rest = fields[(end + 1)...].split(separator: 0x20)
    guard rest.count > 1 else { return nil }
    return pid_t(String(decoding: rest[1], as: UTF8.self))
  }

  /// Returns the descendants of this process, which adopts those whose parents have ended.
  static func descendants() -> [pid_t] {
    var children: [pid_t: [pid_t]] = [:]
    guard let directory = opendir("/proc") else { return [] }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let process = pid_t(name), let parent = parent(of: process) else { continue }
      children[parent, default: []].append(process)
    }
    var found: [pid_t] = []
    var rest = [getpid()]
    while let process = rest.popLast() {
      let own = children.removeValue(forKey: process) ?? []
      found += own
      rest += own
    }
    return found
  }

  /// Sends a signal to all descendants, and continues those that are stopped.
  static func signalDescendants(_ number: Int32) {
    for process in descendants() {
      kill(process, number)
      kill(process, SIGCONT)
    }
  }
}
