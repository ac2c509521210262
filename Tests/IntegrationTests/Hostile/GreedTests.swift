import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus
import Testing

@Suite("Rule 11: Clients that read a lot at once", .serialized, .timeLimit(.minutes(5)))
struct GreedTests {
  @Test("Clients that read a lot at once are answered, other clients too, and no signal of another flow is lost")
  func greedyReadersDelayNobody() async throws {
    let daemon = try await RunningDaemon.start(["--ephemeral"])
    let client = try await daemon.client()
    let tree = try await client.manager.startFlow("pets")
    for _ in 0..<30 { _ = try await client.coordinator(tree.coordinator).startChild("kanji-list") }
    var flows: [ObjectPath] = []
    for _ in 0..<50 { flows.append(try await client.manager.startFlow("quotes").coordinator) }
    let signals = try await client.signals(of: daemon)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for call in [Self.screens(of: tree.router), Self.screens(of: tree.router), Self.objects, Self.objects] {
        group.addTask { try await expectAnswers(daemon, call) }
      }
      group.addTask { [flows] in
        for flow in flows {
          _ = try await client.coordinator(flow).dismiss()
          #expect(try await client.managerProperty("Version").string != nil)
        }
      }
      try await group.waitForAll()
    }
    var ended: [ObjectPath] = []
    for await delivery in signals {
      guard case .signal(let signal) = delivery else { break }
      if signal.member == "FlowEnded", let path = signal.body.first?.objectPath { ended.append(path) }
      if ended.count == flows.count { break }
    }
    #expect(ended == flows)
    // Later reads show the current state.
    #expect(try await client.router(tree.router).window().screens.count == 31)
    #expect(try await client.managedPaths().count == 31 + 1 + 1)
    let report = await daemon.stop()
    #expect(report.status == .exited(0) && !report.errors.contains("cannot send"), "\(report)")
  }

  @Test("A large read shows every change that its own client made before it")
  func largeReadsShowEarlierChanges() async throws {
    let daemon = try await RunningDaemon.start(["--ephemeral"])
    let client = try await daemon.client()
    let tree = try await client.manager.startFlow("pets")
    let (coordinator, router) = (client.coordinator(tree.coordinator), client.router(tree.router))
    for number in 1...20 {
      _ = try await coordinator.startChild("kanji-list")
      // Both reads come after the change by the same sender.
      async let first = router.window()
      async let second = router.attach(kind: "test")
      let (window, attached) = try await (first, second)
      #expect(window.screens.count == number + 1)
      #expect(window.revision == UInt64(number + 1))
      #expect(attached.revision == window.revision && attached.screens.count == window.screens.count)
    }
    #expect(await daemon.stop().status == .exited(0))
  }

  @Test("Every caller that waits for the end of a flow is answered, however many there are")
  func everyWaiterForAFlowIsAnswered() async throws {
    let daemon = try await RunningDaemon.start(["--ephemeral"])
    let client = try await daemon.client()
    let token = Options(token: "shared")
    let flow = try await client.manager.startFlow("pets", options: token).coordinator
    let others = [try await daemon.client(), try await daemon.client()]
    try await withThrowingTaskGroup(of: FlowEnd.self) { group in
      for number in 0..<300 { group.addTask { try await others[number % 2].manager.runFlow("pets", options: token) } }
      // These calls follow on the same connections, so the waiting calls have arrived when they are answered.
      for other in others { _ = try await other.managerProperty("Version") }
      _ = try await client.coordinator(flow).dismiss()
      for try await end in group { #expect(end == .cancelled) }
    }
    #expect(await daemon.stop().status == .exited(0))
  }

  private static func screens(of router: ObjectPath) -> MethodCall {
    MethodCall(
      destination: Contract.busName, path: router, interface: "org.freedesktop.DBus.Properties", member: "Get",
      arguments: [.string(Contract.routerInterface), .string("Screens")])
  }

  private static let objects = MethodCall(
    destination: Contract.busName, path: Contract.rootPath, interface: "org.freedesktop.DBus.ObjectManager",
    member: "GetManagedObjects")

  /// Makes a call many times at once without reading the values in the replies.
  private func expectAnswers(_ daemon: RunningDaemon, _ call: MethodCall) async throws {
    let connection = try await Connection.open(.address(daemon.bus.address), limits: MessageLimits(incomingValues: 8))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<64 {
        group.addTask {
          await #expect(throws: ConnectionError.self, "answered, and too large for this client to read") {
            _ = try await connection.call(call, deadline: nil)
          }
        }
      }
    }
    await connection.close()
  }
}
