import CoordinatorJournal
import Foundation
import TestBus

/// A separate process that writes a journal; it is killed together with this value.
struct Writer {
  private let program: Program

  /// The program was not found next to the test bundle.

  /// Starts the process, and waits until its trees exist.
  init(in directory: String, trees: Int, umask: String = "0022") async throws {
    program = try Program([
      "sh", "-c", "umask \(umask); exec \"$@\"", "sh", BuiltProgram.path("JournalWriter"), directory, "\(trees)",
    ])
    try await program.prints("ready\n")
  }

  /// Sends a command, waits for the given number of lines, and returns them.
  func ask(_ command: String, lines: Int = 1) async throws -> [String] {
    let before = program.output.ranges(of: "\n").count
    program.write(command + "\n")
    try await program.prints("\n", times: before + lines)
    return program.output.split(separator: "\n").dropFirst(before).map(String.init)
  }

  /// Sends a command that has no answer.
  func tell(_ command: String) { program.write(command + "\n") }

  /// Kills the process, and returns the last count that it reported for each tree.
  func kill() async -> [String: Int] {
    program.signal(SIGKILL)
    var counts: [String: Int] = [:]
    for line in await program.ended().output.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let name = words.first, let count = words.last.flatMap({ Int($0) }) else { continue }
      counts[String(name)] = count
    }
    return counts
  }

  /// Runs the program on a directory that it cannot use, and returns how it ended.
  static func refused(in directory: String) async throws -> ProgramReport {
    try await Program.run([BuiltProgram.path("JournalWriter"), directory, "1"])
  }
}
