import Glibc

/// Finds the processes of runs by their environment, wherever they have gone.
enum RunProcesses {
  /// Returns the living processes of a run of this program; of all runs if none is given.
  static func all(run: UInt64? = nil) -> [pid_t] {
    let marks = (run.map { [Array("COORDINATOR_RUN=\($0)\0".utf8)] } ?? []) + [Array("/scripts-\(getpid())\0".utf8)]
    var found: [pid_t] = []
    guard let directory = opendir("/proc") else { return [] }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let process = pid_t(name), process != getpid() else { continue }
      let environment = content("/proc/\(name)/environ")
      if marks.allSatisfy({ environment.contains($0) }) { found.append(process) }
    }
    return found
  }

  private static func content(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < 4 << 20 {
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}
