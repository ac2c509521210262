import Foundation
import TestBus

/// A daemon, its client, and the process that serves its flow, unless the flow is built in.
final class ServedFlow: Sendable {
  /// The bus name of the process.
  static let name = "org.coordinatord.BenchProvider"

  let loader: Loader
  /// The process of the daemon.
  let process: Int32
  private let bus: Bus
  /// Retained, because the process ends when it is released.
  private let provider: Program?

  /// Starts all of them, and the flow.
  ///
  /// - Parameters:
  ///   - lab: the environment of the measurement.
  ///   - options: the options of the daemon; without options, it stores its transitions.
  ///   - command: the process that serves the flow; nil if it is built in.
  /// - Throws: errors of programs that cannot be started.
  init(_ lab: Lab, _ options: [String], by command: [String]?) async throws {
    bus = try await Bus(lab)
    let state = options.isEmpty ? ["--state-dir", try lab.directory("state")] : options
    loader = try Loader(lab, .ours(lab, state + (command == nil ? [] : ["--no-flows"])), on: bus)
    process = try await loader.boot().process ?? 0
    provider = try command.map { [bus] in try Program($0, environment: bus.environment) }
    try await loader.send("await")
    try await loader.send("attach 1")
  }

  /// Starts another process on the same bus.
  func start(_ command: [String], _ environment: [String: String]) throws -> Program {
    try Program(command, environment: bus.environment.merging(environment) { $1 })
  }

  /// Starts flows as soon as a process serves them.
  func startFlows(_ count: Int, named flow: String) async throws {
    let call = [
      "busctl", "--address=\(bus.address)", "call", loader.subject.name, "/org/coordinatord/Coordinator1",
      "\(loader.subject.name).Manager", "StartFlow", "sa{sv}a{sv}", flow, "0", "0",
    ]
    var started = 0
    while started < count {
      let report = try await Program.run(["/usr/bin/env"] + call)
      if report.status == .exited(0) { started += 1 } else { try await Task.sleep(for: .milliseconds(100)) }
    }
  }

  /// Returns the command of a provider in Python; nil if it cannot run here.
  static func python(_ lab: Lab) async -> [String]? {
    let path = "PYTHONPATH=" + lab.file("../Python/src")
    for python in [lab.file("../.build-python/bin/python"), "/usr/bin/python3"] {
      let command = ["/usr/bin/env", path, python]
      let report = try? await Program.run(command + ["-c", "import coordinator.provider"])
      if report?.status == .exited(0) { return command + [lab.file("Peers/turn_provider.py")] }
    }
    lab.say("  no Python with the package's library here: skipped")
    return nil
  }
}
