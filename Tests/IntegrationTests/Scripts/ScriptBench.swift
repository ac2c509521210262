import Foundation
import Glibc
import TestBus

/// A directory with scripts, for tools that need no daemon.
final class ScriptBench: Sendable {
  let directory: String

  init() throws {
    directory = NSTemporaryDirectory() + "/bench-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// The lines that scripts have written to `$notes`.
  var noted: [String] {
    ((try? String(contentsOfFile: "\(directory)/notes", encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  /// Writes a script of the shell, which finds the file for its notes in `$notes`.
  func write(_ name: String, header: String = "", _ lines: String) throws {
    let text = "#!/bin/sh\n# coordinator: title=\(name); \(header)\nnotes=\(directory)/notes\n\(lines)\n"
    try ExecutableFile.write(text, to: "\(directory)/\(name)")
  }

  /// Writes a file.
  func keep(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
  }

  /// Runs `coordinator-scripts` in the directory.
  func run(_ arguments: String...) async throws -> ProgramReport {
    try await runCommand([try Built.executable("coordinator-scripts")] + arguments)
  }

  /// Runs a command in the directory, with the built programs in the PATH.
  func runCommand(_ command: [String], adding more: [String: String] = [:]) async throws -> ProgramReport {
    let built = URL(fileURLWithPath: try Built.executable("coordinator-scripts")).deletingLastPathComponent().path
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = "\(built):\(environment["PATH"] ?? "/usr/bin:/bin")"
    environment["XDG_RUNTIME_DIR"] = directory
    environment.merge(more) { $1 }
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory] + command
    return try await Program.run(shell, environment: environment, limit: .seconds(120))
  }
}
