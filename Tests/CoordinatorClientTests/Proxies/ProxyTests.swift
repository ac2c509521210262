import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import TestBus
import Testing

@Suite("The proxies", .timeLimit(.minutes(5)))
struct ProxyTests {
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private func start() async throws -> (FakeDaemon, DaemonClient) {
    var truth = ScriptedWindow()
    _ = try truth.transition { try $0.present("one") }
    let daemon = try await FakeDaemon.start(on: bus, showing: truth)
    return (daemon, try await DaemonClient.connect(to: .address(bus.address)))
  }

  @Test("The coordinator proxy sends the arguments of Delegate as the contract says")
  func delegateSendsWhatTheContractSays() async throws {
    let (daemon, client) = try await start()
    let revision = try await client.coordinator(ScriptedWindow.root)
      .delegate(screen: 1, event: "select", payload: ["id": "lamp"], options: Options(request: "r1", seen: 1))
    #expect(revision == 1)
    let options = Options(request: "r1", seen: 1).value
    #expect(
      await daemon.delegated == [[.uint64(1), .string("select"), .vardict(["id": .string("lamp")]), options]])
  }

  @Test("A client's way is sent, unless the call has another one, and a daemon that is older than ways is not told")
  func wayIsSentToDaemonsThatKnowIt() async throws {
    let (daemon, started) = try await start()
    var client = started
    client.way = "coordinatorctl"
    let coordinator = client.coordinator(ScriptedWindow.root)
    _ = try await coordinator.delegate(screen: 1, event: "select")
    _ = try await coordinator.delegate(screen: 1, event: "select", options: Options(way: "desk"))
    await daemon.knowNoWays()
    _ = try await coordinator.delegate(screen: 1, event: "select", options: Options(request: "r1"))
    let ways = await daemon.delegated.map { $0.last?.vardict?["way"]?.string }
    #expect(ways == ["coordinatorctl", "desk", nil])
    await #expect(throws: ClientError.self) {
      try await coordinator.delegate(screen: 1, event: "select", options: Options(way: "desk"))
    }
  }

  @Test("The reason of a coordinator against answering is read")
  func reasonAgainstAnsweringIsRead() async throws {
    let (daemon, client) = try await start()
    #expect(try await client.coordinator(ScriptedWindow.root).reasonAgainstAnswering() == nil)
    await daemon.close(because: "only ada may answer")
    #expect(try await client.coordinator(ScriptedWindow.root).reasonAgainstAnswering() == "only ada may answer")
  }

  @Test("The router proxy reads the window")
  func windowIsReadFromTheRouter() async throws {
    let (daemon, client) = try await start()
    let window = try await client.router(Contract.routerPath(of: ScriptedWindow.root)).window()
    #expect(window == (await daemon.window))
  }

  @Test("A missing object is distinguished from other errors")
  func unknownObjectIsDistinguishedFromOtherErrors() async throws {
    let (_, client) = try await start()
    let nowhere = client.coordinator("/org/coordinatord/Coordinator1/flows/nowhere_1")
    let error = await #expect(throws: ClientError.self) { try await nowhere.details() }
    #expect(error?.isUnknownObject == true)
    let refused = await #expect(throws: ClientError.self) { try await client.manager.listFlows() }
    #expect(refused == .failed(.failed("not in this play")))
    #expect(refused?.isUnknownObject == false)
  }

  @Test("A missing daemon and an unreachable bus are reported")
  func missingDaemonAndBusAreReported() async throws {
    let client = try await DaemonClient.connect(to: .address(bus.address))
    await #expect(throws: ClientError.noDaemon) { try await client.manager.listActive() }
    let error = await #expect(throws: ClientError.self) {
      try await DaemonClient.connect(to: .address("unix:path=/nowhere"))
    }
    guard case .connection(.cannotConnect(address: "unix:path=/nowhere", _)) = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
  }

  @Test("A payload that is nested too deeply is not sent")
  func deeplyNestedPayloadIsNotSent() async throws {
    let (daemon, client) = try await start()
    let deep = (0..<9).reduce(JSONValue.string("x")) { inner, _ in .object(["k": inner]) }
    await #expect(throws: ClientError.self) {
      try await client.coordinator(ScriptedWindow.root).delegate(screen: 1, event: "e", payload: ["k": deep])
    }
    #expect(await daemon.delegated.isEmpty)
  }
}
