import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus

/// The client that makes a daemon work, one call after the other.
struct CostDriver {
  /// What should have been refused was not.
  struct NotRefused: Error {}

  private let client: DaemonClient
  private let flow: (coordinator: ObjectPath, router: ObjectPath)
  /// The screen on top: each new one has the next number.
  private var screen: UInt64 = 1

  /// Starts the flow that is played, and attaches to it as its only renderer.
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

  /// The first screen is gone since the first turn.
  private func failToDelegate() async throws {
    do {
      _ = try await client.coordinator(flow.coordinator).delegate(screen: 1, event: "turn")
    } catch ClientError.refused(.staleScreen) {
      return
    }
    throw NotRefused()
  }
}
