import CoordinatorClient
import CoordinatorKit
import Foundation
import Glibc
import TestBus

/// A daemon, and scripts that `coordinator-scripts` serves as flows.
final class ScriptWorld: Sendable {
  let bus: PrivateBus
  /// The directory with the scripts.
  let scripts: String
  private let options: [String]

  init(_ options: String...) throws {
    bus = try PrivateBus()
    scripts = bus.directory + "/flows"
    self.options = options
    try FileManager.default.createDirectory(atPath: scripts, withIntermediateDirectories: true)
  }

  /// The file to which tests' scripts write their actions.
  var notes: String { bus.directory + "/notes" }

  /// The lines that scripts have written.
  var noted: [String] {
    ((try? String(contentsOfFile: notes, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
  }

  /// Writes a script of the shell, which finds the file for its notes in `$notes`.
  func write(_ name: String, _ lines: String) throws {
    try writeFile(name, "#!/bin/sh\n# coordinator: title=\(name)\nnotes=\(notes)\n\(lines)\n")
  }

  /// Writes a script in Python, which finds the file for its notes in `NOTES`.
  func writePython(_ name: String, _ lines: String) throws {
    try writeFile(
      name,
      """
      #!/usr/bin/python3
      import os, pathlib, subprocess, sys, time
      from coordinator import flow, serve
      NOTES = pathlib.Path("\(notes)")
      def note(text):
          with NOTES.open("a") as file:
              file.write(text + "\\n")
      \(lines)
      """)
  }

  /// Writes an executable file.
  func writeFile(_ name: String, _ text: String) throws {
    try ExecutableFile.write(text, to: "\(scripts)/\(name)")
  }

  /// Starts the daemon.
  func daemon() async throws -> RunningDaemon { try await RunningDaemon.start(on: bus) }

  /// Starts the daemon, `coordinator-scripts`, and a flow.
  func play(_ name: String) async throws -> PlayedScript {
    let daemon = try await daemon()
    let client = try await daemon.client()
    let engine = try await engine(serving: name, for: client)
    return PlayedScript(daemon: daemon, client: client, engine: engine, flow: try await Flow.start(name, client))
  }

  /// Starts `coordinator-scripts`, and waits until it serves a flow.
  func engine(serving flow: String, for client: DaemonClient) async throws -> Program {
    let python = "\(URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst())/Python/src"
    let environment = RunningDaemon.environment(of: bus).merging([
      "XDG_RUNTIME_DIR": bus.directory, "PYTHONPATH": python, "PYTHONDONTWRITEBYTECODE": "1",
    ]) { $1 }
    let engine = try Program(
      [Built.executable("coordinator-scripts"), "--flows", scripts] + options, environment: environment)
    try await poll { try await client.manager.listFlows().contains { $0.name == flow } }
    try await poll {
      try await client.manager.listProviders().contains { $0.flows.contains(flow) && $0.state == "running" }
    }
    return engine
  }
}

/// A flow that a script decides, with everything that it needs.
struct PlayedScript: Sendable {
  let daemon: RunningDaemon
  let client: DaemonClient
  let engine: Program
  let flow: Flow
}

extension Flow {
  /// Waits until a screen is on top that takes answers, or waits for the end of the flow.
  ///
  /// - Parameter name: the name of the screen; nil for the end.
  /// - Returns: the screen.
  /// - Throws: `ClientError`.
  @discardableResult
  func shows(_ name: String?) async throws -> Screen? {
    var shown: Screen?
    try await poll {
      do throws(ClientError) {
        shown = try await router.window().screens.last?.screen
      } catch {
        guard name == nil, error.isUnknownObject else { throw error }
        return true
      }
      return shown?.name == name && shown?.progress == nil
    }
    return shown
  }

  /// Goes back from the screen on top.
  func back() async throws { _ = try await router.back(screen: try await top()) }
}
