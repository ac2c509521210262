import CoordinatorBus
import CoordinatorClient
import DBus
import Foundation
import TestBus
import Testing

@Suite("Rule 2: A flow with a handler that never returns", .serialized, .timeLimit(.minutes(5)))
struct SpinningFlowTests {
  private static let deadline = ["--handler-deadline=1"]

  @Test("A handler that never returns fails its flow after the deadline, wherever it spins, and delays no other flow")
  func spinningHandlerFailsAfterTheDeadline() async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon", Self.deadline)
    try await Neighbour.accompanies(daemon) { neighbour in
      let client = try await daemon.client()
      let places = ["receive", "screen", "child-ended", "work-ended", "went-back", "dismissable", "task"]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for place in places { group.addTask { try await expectFailure(client, daemon, place) } }
        // While handlers spin in each place.
        try await neighbour.plays()
        try await group.waitForAll()
      }
      // After their flows were given up.
      try await neighbour.plays()
    }
    try await expectEnd(of: daemon)
  }

  private func expectFailure(_ client: DaemonClient, _ daemon: RunningDaemon, _ place: String) async throws {
    let path = try await start(client, place)
    let signals = try await client.signals(of: daemon)
    #expect(try await trigger(client, path, place) == (place == "work-ended" ? nil : "FlowFailed"), "\(place)")
    #expect(try await client.end(of: path, told: signals) == "not-responding", "\(place)")
    #expect(try await client.refusal(path, Contract.coordinatorInterface, "Dismiss") == "UnknownObject", "\(place)")
  }

  @Test("Starting a flow that never returns from its start is answered after the deadline, as a root and as a child")
  func spinningStartIsAnsweredAfterTheDeadline() async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon", Self.deadline)
    try await Neighbour.accompanies(daemon) { neighbour in
      let client = try await daemon.client()
      let input: [String: Value] = ["at": .string("start")]
      let parent = try await start(client, "nowhere")
      async let root = client.tryStart("spinner", input, token: "root")
      async let child = client.tryStartChild(of: parent, "spinner", input)
      // While two handlers spin.
      try await neighbour.plays()
      #expect(try await root == "FlowFailed")
      #expect(try await child == "FlowFailed")
      #expect(try await client.manager.outcome(of: parent)?.name == "failed")
      #expect(try await client.manager.listActive().allSatisfy { $0.flow == "pets" })
      // The token can be used again.
      #expect(try await client.tryStart("thrower", ["at": .string("nowhere"), "what": .string("plain")], token: "root") == nil)
    }
    try await expectEnd(of: daemon)
  }

  @Test("More spinning handlers than there are processors delay no other flow")
  func moreSpinningHandlersThanProcessorsHarmNobody() async throws {
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon", Self.deadline)
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    try await Neighbour.accompanies(daemon) { neighbour in
      let client = try await daemon.client()
      var paths: [ObjectPath] = []
      for _ in 0..<count { paths.append(try await start(client, "receive")) }
      let spinning = paths
      try await withThrowingTaskGroup(of: String?.self) { group in
        for path in spinning { group.addTask { try await client.trySend("go", to: path, screen: 1) } }
        // While the handlers spin.
        try await neighbour.plays()
        for try await error in group { #expect(error == "FlowFailed") }
      }
      // After their flows were given up.
      try await neighbour.plays()
      #expect(try await client.manager.listActive().allSatisfy { $0.flow == "pets" })
    }
    try await expectEnd(of: daemon)
  }

  @Test("A handler that spins delays neither other flows nor, after SIGTERM, the end of the daemon")
  func spinningHandlerDelaysNeitherFlowsNorTheEnd() async throws {
    // The deadline is longer than the test may take, so an end in time did not wait for it.
    let daemon = try await RunningDaemon.start(executable: "HostileDaemon", ["--handler-deadline=3600"])
    let client = try await daemon.client()
    let path = try await start(client, "receive")
    async let error = client.trySend("go", to: path, screen: 1)
    // The reply shows that the event loop was taken over.
    _ = try await client.manager.listActive()
    try await Neighbour.accompanies(daemon) { try await $0.plays() }
    try await expectEnd(of: daemon)
    _ = try? await error
  }

  private func start(_ client: DaemonClient, _ place: String) async throws -> ObjectPath {
    try await client.manager.startFlow("spinner", input: ["at": .string(place)]).coordinator
  }

  /// Triggers the handler that spins.
  private func trigger(_ client: DaemonClient, _ path: ObjectPath, _ place: String) async throws -> String? {
    switch place {
    case "dismissable": return try await client.tryDismiss(path)
    case "went-back":
      #expect(try await client.trySend("go", to: path, screen: 1) == nil)
      return try await client.tryBack(from: 2, of: path)
    case "task":
      #expect(try await client.trySend("go", to: path, screen: 1) == nil)
      // The flow's actor is busy with something other than the handler to be called.
      return try await client.trySend("go", to: path, screen: 1)
    default: return try await client.trySend("go", to: path, screen: 1)
    }
  }

  /// Expects the daemon to end although handlers never return.
  private func expectEnd(of daemon: RunningDaemon) async throws {
    let report = await daemon.stop()
    #expect(report.status == .exited(0), "\(report)")
  }
}
