import CoordinatorBus
import CoordinatorClient
import DBus
import Platform
import Testing

/// A client that plays `pets` and `schedule-visit` continuously, checks every reply and every signal, and measures how
/// long its calls take. Other flows must not affect it.
final class Neighbour: Sendable {
  private struct State {
    var phases: [(name: String, latencies: Latencies)] = []
    var played = 0
    var isStopping = false
  }

  private let client: DaemonClient
  private let signals: SignalSequence
  private let state = Lock(State())
  private let plays: AsyncThrowingStream<Int, any Error>
  private let continuation: AsyncThrowingStream<Int, any Error>.Continuation

  private init(_ daemon: RunningDaemon) async throws {
    client = try await daemon.client()
    signals = try await client.signals(of: daemon)
    (plays, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Plays while `body` runs, and then prints how long the calls of each phase took.
  ///
  /// - Parameters:
  ///   - daemon: the daemon to play with.
  ///   - bound: the longest time that a call may take. It is generous, since other tests run at the same time on slow
  ///     machines.
  ///   - body: the test, which names the phases by calling ``phase(_:plays:)``.
  /// - Throws: what `body` or a call of the neighbour throws.
  static func accompanies(
    _ daemon: RunningDaemon, bound: Duration = .seconds(20), _ body: @Sendable (Neighbour) async throws -> Void
  ) async throws {
    let neighbour = try await Neighbour(daemon)
    neighbour.state.withLock { $0.phases = [("before", Latencies())] }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await neighbour.playOn() }
      try await neighbour.awaitPlays(3)
      try await body(neighbour)
      neighbour.state.withLock { $0.isStopping = true }
      try await group.waitForAll()
    }
    for (name, latencies) in neighbour.state.withLock({ $0.phases }) {
      print("Neighbour, \(name): \(latencies)")
      #expect(latencies.longest < bound, "\(name)")
    }
    await neighbour.client.close()
  }

  /// Begins a phase and returns after `plays` more rounds have been played.
  func phase(_ name: String, plays: Int = 3) async throws {
    state.withLock { $0.phases.append((name, Latencies())) }
    try await awaitPlays(plays)
  }

  private func awaitPlays(_ count: Int) async throws {
    // The current round may have begun in the phase before.
    let last = state.withLock { $0.played } + count + 1
    for try await played in plays where played >= last { return }
  }

  private func playOn() async throws {
    do {
      while !state.withLock({ $0.isStopping }) {
        let number = state.withLock { $0.played } + 1
        try await play(number)
        state.withLock { $0.played = number }
        continuation.yield(number)
      }
    } catch {
      continuation.finish(throwing: error)
      throw error
    }
  }

  /// Plays one round, from the start of the flow to its end.
  private func play(_ number: Int) async throws {
    let token = "neighbour_\(number)"
    let pets = try await timed { try await self.client.manager.startFlow("pets", options: Options(token: token)).coordinator }
    let visit = try pets.appending("schedule_visit_1")
    let steps: [(ObjectPath, String)] = [
      (pets, "schedule-visit"), (visit, "sick"), (visit, "none"), (visit, "is-fake"),
    ]
    for (index, (path, event)) in steps.enumerated() {
      let revision = try await timed {
        try await self.client.coordinator(path).delegate(screen: UInt64(index + 1), event: event)
      }
      #expect(revision == UInt64(index + 2), "\(token) \(event)")
    }
    let router = client.router(try Contract.routerPath(of: pets))
    let window = try await timed { try await router.window() }
    #expect(window.screens.map(\.screen.messages.first?.code) == ["visit-scheduled"])
    #expect(try await timed { try await self.client.coordinator(pets).dismiss() } == 6)
    #expect(try await timed { try await self.client.manager.outcome(of: pets) } == .cancelled)
    #expect(try await heard(of: pets) == Self.told)
  }

  private func timed<Result: Sendable>(_ call: @Sendable () async throws -> Result) async throws -> Result {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await call()
    let latency = start.duration(to: clock.now)
    state.withLock { $0.phases[$0.phases.count - 1].latencies.add(latency) }
    return result
  }

  /// Returns the signals of a flow's router until the flow has ended.
  private func heard(of flow: ObjectPath) async throws -> [String] {
    let router = try Contract.routerPath(of: flow)
    var heard: [String] = []
    for await delivery in signals {
      guard case .signal(let signal) = delivery else { return heard + ["gap"] }
      if signal.member == "FlowEnded", signal.body.first == .objectPath(flow) { return heard }
      guard signal.path == router, let told = RouterSignal(member: signal.member, body: signal.body) else { continue }
      heard.append("\(told.revision ?? 0) \(told.member)")
    }
    return heard + ["disconnected"]
  }

  private static let told = [
    "1 Presented", "1 Settled", "2 Presented", "2 Settled", "3 Presented", "3 Settled", "4 Presented", "4 Settled",
    "5 Dismissed", "5 Dismissed", "5 Dismissed", "5 Updated", "5 Settled", "6 Dismissed", "6 Settled",
  ]
}
