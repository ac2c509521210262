import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus

/// The client that calls a daemon, one call at a time.
struct CostDriver {
  /// The error for a call that should have been refused but was not.
  struct NotRefused: Error {}

  private let client: DaemonClient
  private let flow: (coordinator: ObjectPath, router: ObjectPath)
  /// The id of the top screen: each new screen has the next number.
  private var screen: UInt64 = 1

  /// Starts the flow to play, and attaches to it as its only renderer.
  init(_ daemon: LoadedDaemon) async throws {
    client = try await daemon.client()
    flow = try await client.manager.startFlow("turn")
    let signals = try await client.connection.signals(
      matching: MatchRule(sender: Contract.busName, pathNamespace: flow.coordinator))
    Task { for await _ in signals {} }
    _ = try await client.router(flow.router).attach(kind: "costs")
  }

  /// Makes a number of calls of a kind.
  mutating func perform(_ scenario: CostScenario, times: Int) async throws {
    for _ in 0..<times {
      switch scenario {
      case .delegate, .delegateStored:
        _ = try await client.coordinator(flow.coordinator).delegate(screen: screen, event: "turn")
        screen += 1
      case .refusal: try await failToDelegate()
      case .startAndDismiss:
        let other = try await client.manager.startFlow("turn")
        _ = try await client.coordinator(other.coordinator).dismiss()
      case .read: _ = try await client.router(flow.router).snapshot()
      }
    }
  }

  /// Delegates an event of the first screen, which is gone since the first turn.
  private func failToDelegate() async throws {
    do {
      _ = try await client.coordinator(flow.coordinator).delegate(screen: 1, event: "turn")
    } catch ClientError.refused(.staleScreen) {
      return
    }
    throw NotRefused()
  }
}
