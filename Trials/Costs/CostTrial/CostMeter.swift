import BusLoad
import Foundation

/// Counts the operations of a daemon between two moments, with callgrind and the `CostProbe` in the daemon.
struct CostMeter {
  /// The error for an unexpected answer of callgrind or the probe.
  struct NoAnswer: Error {
    let what: String
  }

  private let daemon: LoadedDaemon
  private let profile: String
  private var count = 0
  private var last = (allocations: 0.0, bytes: 0.0)

  /// Creates a meter for a daemon that was started with ``command(_:profile:)``.
  init(_ daemon: LoadedDaemon, profile: String) {
    self.daemon = daemon
    self.profile = profile
  }

  /// Returns a command line that runs a program under callgrind.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - profile: the prefix of the paths of the files that callgrind writes.
  /// - Returns: the command line.
  static func command(_ command: [String], profile: String) -> [String] {
    [
      // The lookup time in a dictionary depends on the order of its entries.
      "env", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=\(profile)",
      // The start is not counted, and is much faster without instrumentation. Line numbers and the debugger interface
      // are not needed.
      "--instr-atstart=no", "--dump-line=no", "--vgdb=no",
    ] + command
  }

  /// Waits until the daemon is idle. The first call starts the counting.
  ///
  /// - Returns: the cost of the daemon's operations since the previous call.
  /// - Throws: ``NoAnswer``; `ProgramReport` if the daemon has ended.
  mutating func mark() async throws -> Cost {
    count += 1
    let count = count
    daemon.program.write(".")
    try await daemon.program.prints { $0.count(where: \.isNewline) >= count }
    guard let line = daemon.program.output.split(whereSeparator: \.isNewline).last else { throw NoAnswer(what: "nothing") }
    let numbers = line.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 2, let allocations = numbers.first, let bytes = numbers.last else {
      throw NoAnswer(what: String(line))
    }
    defer { last = (allocations, bytes) }
    return Cost(
      instructions: try instructions(), allocations: allocations - last.allocations, bytes: bytes - last.bytes)
  }

  /// Reads the total at the end of a profile.
  private func instructions() throws -> Double {
    if count == 1 { return 0 }
    let path = "\(profile).\(count - 1)"
    guard let file = FileHandle(forReadingAtPath: path) else { throw NoAnswer(what: "no profile at \(path)") }
    let size = try file.seekToEnd()
    try file.seek(toOffset: size - min(size, 200))
    let end = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    guard let line = end.split(separator: "\n").last(where: { $0.hasPrefix("totals: ") }),
      let total = Double(line.dropFirst("totals: ".count))
    else { throw NoAnswer(what: end) }
    return total
  }
}
