import BusLoad
import Foundation

/// Counts what a daemon does between two moments, with the help of callgrind and of the `CostProbe` in the daemon.
struct CostMeter {
  /// callgrind or the probe has not answered as it should.
  struct NoAnswer: Error {
    let what: String
  }

  private let daemon: LoadedDaemon
  private let profile: String
  private var count = 0
  private var last = (allocations: 0.0, bytes: 0.0)

  /// Begins to count in a daemon that was started with ``command(_:profile:)``.
  init(_ daemon: LoadedDaemon, profile: String) {
    self.daemon = daemon
    self.profile = profile
  }

  /// A command line under callgrind.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - profile: The beginning of the paths of the files that callgrind writes.
  /// - Returns: What to start.
  static func command(_ command: [String], profile: String) -> [String] {
    [
      // The order of dictionaries decides how long a search in them takes.
      "env", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=\(profile)",
      // The start is not counted, and takes a fraction of the time. No line numbers, and no debugger: nobody asks for either.
      "--instr-atstart=no", "--dump-line=no", "--vgdb=no",
    ] + command
  }

  /// Waits until the daemon is at rest; from the first time on it is counted.
  ///
  /// - Returns: What it has done since the last time.
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

  /// Reads the sum at the end of a profile.
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
