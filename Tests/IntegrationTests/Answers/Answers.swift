import Foundation
import TestBus

/// A daemon, and answers files to play on it.
struct Answers: Sendable {
  let daemon: RunningDaemon

  init() async throws { daemon = try await RunningDaemon.start() }

  /// Returns the path of a file in this test's own directory.
  func path(_ name: String) -> String { "\(daemon.bus.directory)/\(name)" }

  /// Writes a file.
  ///
  /// - Returns: the path of the file.
  func file(_ text: String, _ name: String = "answers.yaml") throws -> String {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    return path(name)
  }

  /// Plays answers.
  func play(_ text: String, _ options: String..., environment: [String: String] = [:]) async throws -> ProgramReport {
    try await control(["answer", file(text)] + options, environment: environment)
  }

  /// Plays answers with a string on file descriptor 3.
  func play(_ text: String, descriptor: String, _ options: String...) async throws -> ProgramReport {
    let line = ["sh", "-c", "exec 3<\"$0\"; exec \"$@\"", try file(descriptor, "secrets")]
    return try await Program.run(
      line + [Built.executable("coordinatorctl"), "answer", file(text)] + options, environment: daemon.environment)
  }

  /// Runs coordinatorctl.
  func control(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws -> ProgramReport {
    try await Program.run(
      [Built.executable("coordinatorctl")] + arguments, environment: daemon.environment.merging(environment) { $1 }, input: input)
  }

  /// The names of the active root coordinators.
  func active() async throws -> [String] {
    try await daemon.client().manager.listActive().compactMap { $0.coordinator.elements.last.map(String.init) }
  }
}
