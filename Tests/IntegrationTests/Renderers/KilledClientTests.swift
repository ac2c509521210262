import CoordinatorBus
import CoordinatorClient
import DBus
import Glibc
import TestBus
import Testing

@Suite("Clients that are killed", .timeLimit(.minutes(5)))
struct KilledClientTests {
  @Test("A killed renderer lowers the property Renderers and changes nothing else")
  func killedRendererOnlyLowersRenderers() async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let pets = try await Flow.start("pets", client)
    try await pets.send("schedule-visit")
    let rulesBefore = try await client.matchRules(of: daemon.uniqueName)
    let renderer = try daemon.launch("/usr/bin/python3", Built.client("renderer.py"), pets.router.path.string)
    try await renderer.prints("attached")
    #expect(try await client.managerProperty("Renderers") == .uint32(1))
    let before = try await State(client, pets)
    let signals = try await client.signals(of: daemon)

    renderer.signal(SIGKILL)
    #expect(await renderer.ended().status == .killed(SIGKILL))
    // These are the only signals: a later call is answered, and nothing was emitted in between.
    var heard = signals.makeAsyncIterator()
    guard case .signal(let gone)? = await heard.next() else { return #expect(Bool(false), "nothing was told") }
    #expect(gone.member == "PropertiesChanged")
    #expect(gone.path == pets.router.path)
    #expect(gone.body[1].vardict == ["Renderers": .vardicts([])])
    guard case .signal(let changed)? = await heard.next() else { return #expect(Bool(false), "nothing was told") }
    #expect(changed.member == "PropertiesChanged")
    #expect(changed.path == Contract.rootPath)
    #expect(changed.body[1].vardict == ["Renderers": .uint32(0)])
    #expect(try await State(client, pets) == before)
    try await pets.send("well")
    guard case .signal(let next)? = await heard.next() else { return #expect(Bool(false), "nothing was told") }
    #expect(next.member == "Presented")
    #expect(try await client.matchRules(of: daemon.uniqueName) == rulesBefore)
  }

  /// The complete readable state of a tree.
  private struct State: Equatable {
    let window: MirroredWindow
    let details: CoordinatorProxy.Details
    let paths: Set<String>
    let active: [ActiveFlow]

    init(_ client: DaemonClient, _ flow: Flow) async throws {
      window = try await flow.router.window()
      details = try await flow.coordinator.details()
      paths = try await client.managedPaths()
      active = try await client.manager.listActive()
    }
  }

  @Test("A killed caller with lifetime caller takes its flow with it, as cancelled, and leaves no match rule")
  func killedCallerCancelsItsFlow() async throws {
    try await killCaller(arguments: "pets", saying: "\(Contract.flowsPath)/pets_1", path: "pets_1")
  }

  @Test("A killed caller of RunFlow takes its flow with it, as cancelled, and leaves no match rule")
  func killedCallerOfRunFlowCancelsItsFlow() async throws {
    try await killCaller(arguments: "--run", "how-to-code", saying: "calling", path: "run")
  }

  private func killCaller(arguments: String..., saying sign: String, path name: String) async throws {
    let daemon = try await RunningDaemon.start()
    let client = try await daemon.client()
    let path = try Contract.flowPath(root: name)
    let rulesBefore = try await client.matchRules(of: daemon.uniqueName)
    let signals = try await client.signals(of: daemon)
    let caller = try Program(
      ["/usr/bin/python3", Built.client("caller.py")] + arguments, environment: daemon.environment)
    try await caller.prints(sign)
    try await signals.first("FlowStarted")
    #expect(try await client.manager.outcome(of: path) == nil)
    #expect(try await client.matchRules(of: daemon.uniqueName).count == rulesBefore.count + 1)

    caller.signal(SIGKILL)
    let ended = try await signals.first("FlowEnded")
    #expect(ended?.body.first == .objectPath(path))
    #expect(ended?.body.last == .string("cancelled"))
    #expect(try await client.manager.outcome(of: path) == .cancelled)
    #expect(try await client.managedPaths() == [Contract.rootPath.string])
    #expect(try await client.matchRules(of: daemon.uniqueName) == rulesBefore)
  }
}

extension SignalSequence {
  /// Returns the next signal of a name; nil if the connection is lost.
  @discardableResult
  func first(_ member: String) async throws -> SignalMessage? {
    for await case .signal(let signal) in self where signal.member == member { return signal }
    return nil
  }
}
