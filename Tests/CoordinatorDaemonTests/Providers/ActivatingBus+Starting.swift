import DBus
import TestBus

extension ActivatingBus {
  /// Runs a closure each time the bus has started the program of a name.
  func whenStarted(_ name: String, on client: Connection, _ body: @escaping @Sendable () async -> Void) async throws {
    let signals = try await client.signals(
      matching: MatchRule(interface: "org.example.Service", member: "Started", arguments: [0: name]))
    Task { for await case .signal in signals { await body() } }
  }
}
