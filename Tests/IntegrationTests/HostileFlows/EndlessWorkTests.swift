import CoordinatorBus
import CoordinatorClient
import DBus
import Foundation
import Testing

@Suite("Rule 2: A flow whose work never ends", .serialized, .timeLimit(.minutes(5)))
struct EndlessWorkTests {
  private static let kinds = ["wait", "ignore", "yield", "block", "cancel", "spin"]
  /// More than the number of threads in Swift's global pool, and more than the threads for work.
  private static let count = max(4, ProcessInfo.processInfo.activeProcessorCount) + 1

  @Test("A flow with endless work can be dismissed, and neither other flows nor their work wait for it", arguments: kinds)
  func endlessWorkOfOneKindHarmsNobody(kind: String) async throws { try await expectHarmless([kind]) }

  @Test("Flows with endless work of all kinds at the same time keep neither other flows nor their work waiting")
  func endlessWorkOfAllKindsHarmsNobody() async throws { try await expectHarmless(Self.kinds) }

  private func expectHarmless(_ kinds: [String]) async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon")
    try await Neighbour.accompanies(daemon) { neighbour in
      let client = try await daemon.client()
      var flows: [Flow] = []
      for kind in kinds { flows.append(try await begin(client, kind, Self.count)) }
      // While this work never ends.
      try await neighbour.plays()
      try await expectWorkDone(client, daemon)
      for flow in flows { try await expectDismissed(flow, client) }
      // After its flow was dismissed.
      try await neighbour.plays()
      try await expectWorkDone(client, daemon)
      // A daemon that ends does not wait for this work either.
      for kind in kinds { _ = try await begin(client, kind, Self.count) }
    }
    // The daemon ends although the work never does.
    let report = await daemon.stop()
    #expect(report.status == .exited(0), "\(report)")
  }

  private func begin(_ client: DaemonClient, _ kind: String, _ count: Int) async throws -> Flow {
    let flow = try await client.manager.startFlow(
      "endless-work", input: ["kind": .string(kind), "count": .integer(Int64(count))])
    #expect(try await client.trySend("go", to: flow.coordinator, screen: 1) == nil)
    return try Flow(client, flow.coordinator)
  }

  private func expectDismissed(_ flow: Flow, _ client: DaemonClient) async throws {
    // The call is answered although the work never ends.
    #expect(try await client.tryDismiss(flow.path) == nil)
    #expect(try await client.manager.outcome(of: flow.path) == .cancelled)
  }

  /// Starts work that ends, and waits until it has ended.
  private func expectWorkDone(_ client: DaemonClient, _ daemon: RunningDaemon) async throws {
    let signals = try await client.signals(of: daemon)
    let flow = try await begin(client, "brief", 3)
    let router = try Contract.routerPath(of: flow.path)
    while try await flow.router.window().screens.map(\.screen.body) != ["3"] {
      for await case .signal(let signal) in signals where signal.member == "Settled" && signal.path == router { break }
    }
    #expect(try await client.tryDismiss(flow.path) == nil)
  }
}
