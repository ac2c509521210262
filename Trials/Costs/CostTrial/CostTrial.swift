import BusLoad
import Foundation
import TestBus

/// Counts what calls cost a daemon.
struct CostTrial {
  /// The daemon did not exit as it should.
  struct DidNotExit: Error {
    let report: ProgramReport
  }

  /// A program whose command `daemon` is the daemon.
  let program: String

  /// How many calls of each kind are counted.
  private static let calls = 30
  /// How many are made before: until everything that is made once is made.
  private static let warmUp = 10

  /// Counts all scenarios, in a daemon without a journal and one with it, both at once.
  func run() async throws -> [String: Cost] {
    let directory = FileManager.default.temporaryDirectory.appending(path: "costs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let stripped = directory.appending(path: "daemon").path
    // valgrind gives up on debugging information that it does not know.
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
  /// What each of a number of calls costs; a tenth of an instruction tells nobody anything.
  fileprivate static func / (sum: Cost, count: Int) -> Cost {
    Cost(
      instructions: (sum.instructions / Double(count)).rounded(),
      allocations: (sum.allocations / Double(count) * 10).rounded() / 10, bytes: (sum.bytes / Double(count)).rounded())
  }
}
