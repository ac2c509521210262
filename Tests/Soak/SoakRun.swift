import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import Locking
import TestBus

/// Clients, renderers and a black hole, for some time.
struct SoakRun {
  let daemon: LoadedDaemon
  /// This program, for the black hole.
  let program: String
  let clients: Int
  /// When what is kept for a while (1 000 outcomes, buffers) has filled up.
  private static let warmUp = 10_000

  /// Runs for so long.
  ///
  /// - Parameter duration: How long.
  /// - Returns: Whether the memory stayed within its bound, and the daemon well.
  /// - Throws: What a client throws for an answer that it did not expect.
  func run(for duration: Duration) async throws -> Bool {
    let end = ContinuousClock.now + duration
    let count = Lock(0)
    let client = try await daemon.client()
    let shared = try await client.manager.startFlow("quotes")
    let hole = try Program([program, "black-hole", daemon.bus.address, shared.router.string])
    try await hole.prints("attached")
    say("start: \(try daemon.memory())")
    let baseline = try await withThrowingTaskGroup(of: ProcessMemory?.self) { group in
      for number in 0..<clients {
        group.addTask {
          try await Player(daemon, seed: UInt64(number)).play(until: end) { count.withLock { $0 += 1 } }
          return nil
        }
      }
      group.addTask { try await exercise(client, shared.router, until: end) }
      group.addTask { try await watch(count, until: end) }
      return try await group.reduce(nil) { $0 ?? $1 }
    }
    return try await judge(baseline, transitions: count.withLock { $0 })
  }

  /// Keeps the black hole's flow busy.
  private func exercise(
    _ client: DaemonClient, _ router: ObjectPath, until end: ContinuousClock.Instant
  ) async throws -> ProcessMemory? {
    while ContinuousClock.now < end {
      guard let top = try await client.router(router).window().top else { return nil }
      if let item = top.screen.items?.first {
        _ = try await client.coordinator(top.coordinator)
          .delegate(screen: top.id, event: "select", payload: ["id": .string(item.id)])
      } else {
        _ = try await client.router(router).back(screen: top.id)
      }
    }
    return nil
  }

  /// Prints where the load has come to, and answers what the daemon held when it was warm.
  private func watch(_ count: Lock<Int>, until end: ContinuousClock.Instant) async throws -> ProcessMemory? {
    var (baseline, last) = (ProcessMemory?.none, ContinuousClock.now)
    while ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(100))
      let transitions = count.withLock { $0 }
      if baseline == nil, transitions >= Self.warmUp {
        baseline = try daemon.memory()
        say("\(transitions) transitions: \(try daemon.memory())")
      }
      if ContinuousClock.now > last + .seconds(30) {
        last = .now
        say("\(transitions) transitions: \(try daemon.memory())")
      }
    }
    return baseline
  }

  private func judge(_ baseline: ProcessMemory?, transitions: Int) async throws -> Bool {
    let memory = try daemon.memory()
    say("end: \(transitions) transitions: \(memory)")
    let report = await daemon.stop()
    if let complaint = daemon.complaint {
      say(complaint)
      return false
    }
    guard report.status == .exited(0) else {
      say("the daemon did not exit as it should: \(report)")
      return false
    }
    guard let baseline else {
      say("too short: there were less than \(Self.warmUp) transitions, so the memory is not judged")
      return true
    }
    let bound = baseline.resident + baseline.resident / 10 + 8_192
    say("the bound was \(bound) kB")
    return memory.resident <= bound
  }
}
