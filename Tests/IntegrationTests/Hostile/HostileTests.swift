import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus
import Testing

@Suite("Calls that no client should make", .timeLimit(.minutes(10)))
struct HostileTests {
  /// Starts a tree that shows a modal screen over its home screen.
  private func victim(_ client: DaemonClient) async throws -> Flow {
    let flow = try await Flow.start("pets", client, options: Options(token: "victim"))
    try await flow.send("schedule-visit")
    return flow
  }

  @Test(
    "Invalid calls are answered with the right error, and the tree stays as it is",
    arguments: [HostileCall.unknown, HostileCall.illTyped, HostileCall.tooMuch])
  func invalidCallsAreRefusedWithoutEffect(calls: [HostileCall]) async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let flow = try await victim(client)
    #expect(flow.path == HostileCall.tree)
    let before = try await flow.router.window()
    let attacker = try await daemon.client()
    for call in calls {
      let error = try await attacker.refusal(call.path, call.interface, call.member, call.arguments)
      #expect(error == call.error, "\(call.why)")
    }
    #expect(try await flow.router.window() == before)
    #expect(try await client.manager.listActive().map(\.coordinator) == [flow.path])
    #expect(await daemon.stop().status == .exited(0))
  }

  @Test("Ten thousand invalid calls that want no reply get none, and the next call is answered")
  func callsWithoutReplyGetNone() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let flow = try await victim(client)
    let before = try await flow.router.window()
    let attacker = try await daemon.client()
    for number in 0..<10_000 {
      let event: Value = .string(number.isMultiple(of: 2) ? "sick" : "größer")
      let call = MethodCall(
        destination: Contract.busName, path: flow.path, interface: Contract.coordinatorInterface, member: "Delegate",
        arguments: [.uint64(UInt64(number % 2)), event, .vardict([:]), .vardict([:])])
      try await attacker.connection.send(call)
    }
    // Calls of one sender are handled in order, so this one comes last. If too many calls wait, it is refused and
    // retried.
    var after: MirroredWindow?
    try await poll {
      do throws(ClientError) {
        after = try await attacker.router(flow.router.path).window()
        return true
      } catch {
        guard case .failed(let refusal) = error, refusal.isStandard("LimitsExceeded") else { throw error }
        return false
      }
    }
    #expect(after == before)
  }

  @Test("A client that disconnects during its calls ends its flows and leaves nothing behind")
  func clientThatLeavesEndsItsCalls() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    for _ in 0..<20 {
      let attacker = try await daemon.client()
      for _ in 0..<20 {
        try await attacker.connection.send(
          MethodCall(
            destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "RunFlow",
            arguments: [.string("pets"), .vardict([:]), .vardict([:])]))
      }
      await attacker.close()
    }
    let signals = try await client.signals(of: daemon)
    // A call of the last attacker may start its flow between the two checks; it ends like the others.
    while true {
      let paths = try await client.managedPaths()
      if try await client.manager.listActive().isEmpty, paths == [Contract.rootPath.string] { break }
      try await signals.first("FlowEnded")
    }
  }
}
