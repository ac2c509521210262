import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus

/// Rounds of several clients at once; after each the daemon has to be well, and everything has to be answered.
struct FuzzRun {
  let daemon: LoadedDaemon
  let seed: UInt64
  let clients: Int
  /// What the daemon may grow by after the first round, in kB.
  let mostGrowth: Int
  private let tally = Tally()

  init(_ daemon: LoadedDaemon, seed: UInt64, clients: Int, mostGrowth: Int) {
    (self.daemon, self.seed, self.clients, self.mostGrowth) = (daemon, seed, clients, mostGrowth)
  }

  /// Runs for about so long.
  ///
  /// - Returns: Whether nothing was wrong.
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
        tally.report("without any flow the daemon holds \(memory), and after the first round it was \(baseline) kB anonymous")
      }
      round += 1
      say("\((clock.now - start).components.seconds) s: \(tally.calls) calls, the daemon holds \(memory)")
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
    // As if the next call came from somebody new.
    guard daemon.isRunning else { return tally.report("the daemon has ended") }
    try await runner.finish()
    await observer.close()
  }

  private func isWellAtTheEnd() async -> Bool {
    let report = await daemon.stop()
    if report.status != .exited(0) { tally.report("the daemon did not exit as it should: \(report)") }
    if let complaint = daemon.complaint { tally.report(complaint) }
    return tally.findings.isEmpty
  }
}
