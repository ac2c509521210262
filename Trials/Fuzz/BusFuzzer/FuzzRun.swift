import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus

/// A run of rounds with several concurrent clients. After each round the daemon must be healthy, and every call must
/// have been answered.
struct FuzzRun {
  let daemon: LoadedDaemon
  let seed: UInt64
  let clients: Int
  /// The maximum growth of the daemon's memory after the first round, in KiB.
  let mostGrowth: Int
  private let tally = Tally()

  init(_ daemon: LoadedDaemon, seed: UInt64, clients: Int, mostGrowth: Int) {
    (self.daemon, self.seed, self.clients, self.mostGrowth) = (daemon, seed, clients, mostGrowth)
  }

  /// Runs for about the given time, or until there is a finding.
  ///
  /// - Returns: whether there were no findings.
  func run(for duration: Duration) async throws -> Bool {
    let clock = ContinuousClock()
    let start = clock.now
    var (round, baseline) = (0, 0)
    while clock.now < start + duration, tally.findings.isEmpty {
      try await play(round, until: min(clock.now + .seconds(10), start + duration))
      let memory = try daemon.memory()
      if let complaint = daemon.complaint { tally.report(complaint) }
      if round == 0 { baseline = memory.anonymous }
      if memory.anonymous > baseline + mostGrowth {
        tally.report("without flows the daemon uses \(memory), but after the first round it used \(baseline) kB anonymous")
      }
      round += 1
      say("\((clock.now - start).components.seconds) s: \(tally.calls) calls, the daemon uses \(memory)")
    }
    say(tally.table)
    return await isWellAtTheEnd()
  }

  private func play(_ round: Int, until end: ContinuousClock.Instant) async throws {
    let observer = try await daemon.client()
    let runner = Runner(try await daemon.connect(), tally)
    let flows = try await observer.manager.listFlows()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<clients {
        let seed = seed &+ UInt64(round) &* 1_000 &+ UInt64(number)
        group.addTask { [daemon, tally] in
          var client = try await FuzzClient(daemon, tally, runner, flows: flows, seed: seed)
          try await client.run { ContinuousClock.now < end && tally.findings.count < 20 && daemon.isRunning }
        }
      }
      try await group.waitForAll()
    }
    // Without any flows, so that the rounds can be compared.
    guard daemon.isRunning else { return tally.report("the daemon has ended") }
    try await runner.finish()
    await observer.close()
  }

  private func isWellAtTheEnd() async -> Bool {
    let report = await daemon.stop()
    if report.status != .exited(0) { tally.report("the daemon did not exit cleanly: \(report)") }
    if let complaint = daemon.complaint { tally.report(complaint) }
    return tally.findings.isEmpty
  }
}
