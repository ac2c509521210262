import BusLoad
import Foundation
import TestBus

/// Counts the cost of calls to a daemon.
struct CostTrial {
  /// The error for a daemon that did not exit as expected.
  struct DidNotExit: Error {
    let report: ProgramReport
  }

  /// The path of a program whose subcommand `daemon` is the daemon.
  let program: String

  /// The number of counted calls of each kind.
  private static let calls = 30
  /// The number of calls of each kind before counting, so that one-time costs are not counted.
  private static let warmUp = 10

  /// Counts all scenarios, concurrently in a daemon without a journal and in one with a journal.
  func run() async throws -> [String: Cost] {
    let directory = FileManager.default.temporaryDirectory.appending(path: "costs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let stripped = directory.appending(path: "daemon").path
    // valgrind fails on debugging information that it does not support.
    let strip = try await Program.run(["strip", "--strip-debug", "-o", stripped, program])
    guard strip.status == .exited(0) else { throw strip }
    async let stored = measure(
      CostScenario.allCases.filter(\.isStored), [stripped, "daemon", "--sync", "off"], directory.appending(path: "stored").path)
    async let ephemeral = measure(
      CostScenario.allCases.filter { !$0.isStored }, [stripped, "daemon", "--ephemeral"],
      directory.appending(path: "ephemeral").path)
    return try await stored.merging(await ephemeral) { $1 }
  }

  private func measure(_ scenarios: [CostScenario], _ command: [String], _ profile: String) async throws -> [String: Cost] {
    let options = ["--log-level", "error", "--handler-deadline", "3600"]
    let command = CostMeter.command(command + options, profile: profile)
    let daemon = try await LoadedDaemon.start(command[0], Array(command.dropFirst()))
    var driver = try await CostDriver(daemon)
    var meter = CostMeter(daemon, profile: profile)
    for scenario in scenarios { try await driver.perform(scenario, times: Self.warmUp) }
    _ = try await meter.mark()
    var costs: [String: Cost] = [:]
    for scenario in scenarios {
      try await driver.perform(scenario, times: Self.calls)
      costs[scenario.rawValue] = try await meter.mark() / Self.calls
    }
    let report = await daemon.stop()
    guard report.status == .exited(0) else { throw DidNotExit(report: report) }
    return costs
  }
}

extension Cost {
  /// Divides a cost by a number of calls. Rounds the result, because smaller fractions mean nothing.
  fileprivate static func / (sum: Cost, count: Int) -> Cost {
    Cost(
      instructions: (sum.instructions / Double(count)).rounded(),
      allocations: (sum.allocations / Double(count) * 10).rounded() / 10, bytes: (sum.bytes / Double(count)).rounded())
  }
}
