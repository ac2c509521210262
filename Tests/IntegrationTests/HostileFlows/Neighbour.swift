import CoordinatorBus
import CoordinatorClient
import DBus
import Platform
import Testing

/// A client that plays `pets` and `schedule-visit` continuously and checks every reply and every signal. Other flows must not
/// affect it: replies and signals must arrive although other flows never return or never end.
final class Neighbour: Sendable {
  private struct State {
    var played = 0
    var isStopping = false
  }

  private let client: DaemonClient
  private let signals: SignalSequence
  private let state = Lock(State())
  private let rounds: AsyncThrowingStream<Int, any Error>
  private let continuation: AsyncThrowingStream<Int, any Error>.Continuation

  private init(_ daemon: RunningDaemon) async throws {
    client = try await daemon.client()
    signals = try await client.signals(of: daemon)
    (rounds, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Plays while `body` runs.
  ///
  /// - Parameters:
  ///   - daemon: the daemon to play with.
  ///   - body: the test, which calls ``plays(_:)`` whenever the neighbour must be unaffected.
  /// - Throws: the error of `body` or of a call of the neighbour.
  static func accompanies(
    _ daemon: RunningDaemon, _ body: @Sendable (Neighbour) async throws -> Void
  ) async throws {
    let neighbour = try await Neighbour(daemon)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await neighbour.playOn() }
      try await neighbour.plays(3)
      try await body(neighbour)
      neighbour.state.withLock { $0.isStopping = true }
      try await group.waitForAll()
    }
    await neighbour.client.close()
  }

  /// Waits until `count` more rounds have been played from their start to their end.
  func plays(_ count: Int = 3) async throws {
    // The current round may have begun before.
    let last = state.withLock { $0.played } + count + 1
    for try await played in rounds where played >= last { return }
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
    let pets = try await client.manager.startFlow("pets", options: Options(token: token)).coordinator
    let visit = try pets.appending("schedule_visit_1")
    let steps: [(ObjectPath, String)] = [
      (pets, "schedule-visit"), (visit, "sick"), (visit, "none"), (visit, "is-fake"),
    ]
    for (index, (path, event)) in steps.enumerated() {
      let revision = try await client.coordinator(path).delegate(screen: UInt64(index + 1), event: event)
      #expect(revision == UInt64(index + 2), "\(token) \(event)")
    }
    let router = client.router(try Contract.routerPath(of: pets))
    let window = try await router.window()
    #expect(window.screens.map(\.screen.messages.first?.code) == ["visit-scheduled"])
    #expect(try await client.coordinator(pets).dismiss() == 6)
    #expect(try await client.manager.outcome(of: pets) == .cancelled)
    #expect(try await heard(of: pets) == Self.told)
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
