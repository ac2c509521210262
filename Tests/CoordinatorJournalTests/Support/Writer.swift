import CoordinatorJournal
import Foundation
import TestBus

/// A process of its own that writes a journal; killed when the value goes away.
struct Writer {
  private let program: Program

  /// What it has said about trees: how far each has come.
  struct Missing: Error { let lookedIn: [String] }

  /// Starts it, and waits until its trees are there.
  init(in directory: String, trees: Int, umask: String = "0022") async throws {
    program = try Program(["sh", "-c", "umask \(umask); exec \"$@\"", "sh", Self.executable(), directory, "\(trees)"])
    try await program.prints("ready\n")
  }

  /// Has it do something, and waits until it has said something about it.
  func ask(_ command: String, lines: Int = 1) async throws -> [String] {
    let before = program.output.ranges(of: "\n").count
    program.write(command + "\n")
    try await program.prints("\n", times: before + lines)
    return program.output.split(separator: "\n").dropFirst(before).map(String.init)
  }

  /// Has it do something that it says nothing about.
  func tell(_ command: String) { program.write(command + "\n") }

  /// Kills it, and returns how far it has told that each tree had come.
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

  /// Runs it on a directory that it cannot use, and returns how it ended.
  static func refused(in directory: String) async throws -> ProgramReport {
    try await Program.run([executable(), directory, "1"])
  }

  /// Built beside the test bundle.
  private static func executable() throws -> String {
    let bundles = CommandLine.arguments.filter { $0.contains(".xctest") }
      .map { URL(filePath: $0).deletingLastPathComponent() }
    let candidates = (bundles + [Bundle.main.bundleURL]).map { $0.appending(path: "JournalWriter").path }
    guard let path = candidates.first(where: FileManager.default.isExecutableFile) else { throw Missing(lookedIn: candidates) }
    return path
  }
}
