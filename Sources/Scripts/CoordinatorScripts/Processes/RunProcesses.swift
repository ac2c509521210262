import Glibc
import Platform

/// Finds the processes of runs by their environment, wherever they have gone.
enum RunProcesses {
  /// What begins the name of the socket of operations, before the number of the process that has it.
  static let socketPrefix = "scripts-"
  /// How long orphans have to end by themselves.
  private static let patience = Duration.seconds(5)

  /// Returns the living processes of a run of this program; of all runs if none is given.
  static func all(run: UInt64? = nil) -> [pid_t] {
    let marks =
      (run.map { [Array("COORDINATOR_RUN=\($0)\0".utf8)] } ?? []) + [Array("/\(socketPrefix)\(getpid())\0".utf8)]
    return all { environment in marks.allSatisfy { environment.contains($0) } }
  }

  /// Ends what is left of processes of this program that have not ended themselves.
  ///
  /// - Parameters:
  ///   - directory: the directory with the sockets of operations.
  ///   - gone: called when none is left.
  static func endOrphans(of directory: String, then gone: @escaping @Sendable () -> Void) {
    let isStarted = Thread.start(name: "script-orphans") {
      let end = ContinuousClock.now + patience
      var number = SIGTERM
      while true {
        let orphans = all { isOrphan($0, directory) }
        if orphans.isEmpty { break }
        for orphan in orphans { kill(orphan, number) }
        // A second SIGTERM would interrupt what the first one has begun.
        number = end < .now ? SIGKILL : 0
        usleep(50_000)
      }
      gone()
    }
    if !isStarted { gone() }
  }

  private static func isOrphan(_ environment: [UInt8], _ directory: String) -> Bool {
    for variable in environment.split(separator: 0) {
      for name in ["COORDINATOR_SOCKET", "COORDINATOR_HOST"] {
        let start = Array("\(name)=\(directory)/\(socketPrefix)".utf8)
        guard variable.starts(with: start), let owner = pid_t(String(decoding: variable.dropFirst(start.count), as: UTF8.self))
        else { continue }
        return owner != getpid() && kill(owner, 0) != 0 && errno == ESRCH
      }
    }
    return false
  }

  private static func all(where isWanted: ([UInt8]) -> Bool) -> [pid_t] {
    var found: [pid_t] = []
    guard let directory = opendir("/proc") else { return [] }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let process = pid_t(name), process != getpid() else { continue }
      if isWanted(content("/proc/\(name)/environ")) { found.append(process) }
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
