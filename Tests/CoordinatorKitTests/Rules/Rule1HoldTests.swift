import CoordinatorKit
import CoordinatorTestKit
import Platform
import Testing

@Suite("Rule 1: An endless exchange that no caller waits for holds the coordinator that began it", .timeLimit(.minutes(5)))
struct Rule1HoldTests {
  private let net = Net()

  private func start() async throws -> TestFlow { try await TestFlow.start("table", in: try catalogue()) }

  private func catalogue() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { [net] in Table(net: net) }
    try catalogue.add { [net] in Server(net: net) }
    return catalogue
  }

  private let server = CoordinatorPath(root: "flow_1").child("server_1")

  /// Waits until the server is held, or is not.
  private func whenHeld(_ isHeld: Bool, in flow: TestFlow) async throws -> TreeState {
    try await flow.state { [server] state in (state.hold(of: server) != nil) == isHeld }
  }

  private func codes(_ state: TreeState) -> [[String]] { state.window.screens.map { $0.messages.map(\.code) } }

  @Test("Rule 1: Work whose end sets off too many handlers holds its coordinator, and nothing has changed")
  func workHolds() async throws {
    let flow = try await start()
    let before = try await flow.state.revision
    try await flow.sendWithoutScreen("serve", to: server)
    let held = try await whenHeld(true, in: flow)
    #expect(held.hold(of: server) == "an event must not trigger more than \(Limits().maxHandlers) handlers")
    #expect(held.hold(of: flow.tree.root) == nil)
    #expect(codes(held) == [[], ["held"]])
    #expect(held.window.top?.content.title == "0 hits")
    #expect(held.revision == before)
  }

  @Test("Rule 1: Calls that a held coordinator would have to handle are refused; the others of its tree go on")
  func othersGoOn() async throws {
    let flow = try await start()
    try await flow.sendWithoutScreen("serve", to: server)
    let held = try await whenHeld(true, in: flow)
    let reason = try #require(held.hold(of: server))
    await #expect(throws: CallError.held(server, reason)) { try await flow.send("hit") }
    await #expect(throws: CallError.held(server, reason)) { try await flow.back() }
    try await flow.sendWithoutScreen("note", to: flow.tree.root)
    #expect(try await flow.screens.map(\.content.title) == ["1 notes", "0 hits"])
  }

  @Test("Rule 1: When it is tried again and can be handled, the end of the work is not lost, and the message goes")
  func retried() async throws {
    let flow = try await start()
    try await flow.sendWithoutScreen("serve", to: server)
    _ = try await whenHeld(true, in: flow)
    try await flow.retryHeld()
    #expect(try await flow.state.hold(of: server) != nil)
    net.isUp = true
    try await flow.retryHeld()
    let state = try await whenHeld(false, in: flow)
    #expect(codes(state) == [[], []])
    #expect(state.window.top?.content.title == "1 hits")
  }

  @Test("Rule 1: After a restart, the work of a held coordinator is performed again, and its end is handled")
  func restarted() async throws {
    let flow = try await start()
    try await flow.sendWithoutScreen("serve", to: server)
    _ = try await whenHeld(true, in: flow)
    net.isUp = true
    let again = try await flow.restarted(in: try catalogue())
    let state = try await again.state { $0.window.top?.content.title == "1 hits" }
    #expect(state.hold(of: server) == nil)
  }

  @Test("Rule 1: A timer that sets off too many handlers holds its coordinator; other timers of the tree go off")
  func timerHolds() async throws {
    let flow = try await start()
    try await flow.sendWithoutScreen("serve-later", to: server)
    try await flow.sendWithoutScreen("note-later", to: flow.tree.root)
    try await flow.advance(by: .seconds(60))
    #expect(try await flow.state.hold(of: server) != nil)
    #expect(try await flow.screens.map(\.content.title) == ["1 notes", "0 hits"])
    net.isUp = true
    try await flow.retryHeld()
    try await flow.advance(by: .seconds(1))
    #expect(try await flow.screens.map(\.content.title) == ["1 notes", "1 hits"])
  }

  @Test("Rule 1: A held coordinator ends with its parent, and when it is dismissed")
  func ends() async throws {
    let flow = try await start()
    try await flow.sendWithoutScreen("serve", to: server)
    _ = try await whenHeld(true, in: flow)
    try await flow.cancel(server)
    #expect(try await flow.coordinators == ["flow_1"])
    try await flow.retryHeld()
    try await flow.cancel()
    #expect(try await flow.outcome == .cancelled)
  }

  @Test("Rule 1: A client can end a tree in which a coordinator is held, even if the root cannot be cancelled at the time")
  func rootEnds() async throws {
    let flow = try await start()
    try await flow.sendWithoutScreen("stay", to: flow.tree.root)
    await #expect(throws: CallError.refused(.notDismissable("table cannot be dismissed now"))) { try await flow.cancel() }
    try await flow.sendWithoutScreen("serve", to: server)
    _ = try await whenHeld(true, in: flow)
    try await flow.cancel()
    #expect(try await flow.outcome == .cancelled)
  }

  @Test("Rule 1: A timer that is retried without success is held again before the retry is answered")
  func timerIsHeldAgain() async throws {
    let flow = try await start()
    try await flow.sendWithoutScreen("serve-later", to: server)
    try await flow.advance(by: .seconds(60))
    #expect(try await flow.state.hold(of: server) != nil)
    try await flow.retryHeld()
    #expect(try await flow.state.hold(of: server) != nil)
  }

  @Test("Rule 1: The explorer reports a flow in which the end of work sets off an endless exchange")
  func explorerReports() async throws {
    let walk = try await FlowExplorer("table", in: try catalogue(), maxStates: 8).walk()
    let held = FlowProblem.Kind.isHeld(flow: "server", "an event must not trigger more than \(Limits().maxHandlers) handlers")
    #expect(walk.problems(screens: ["table", "court"]).map(\.kind).contains(held))
  }
}

/// What stops an exchange, if it is up.
private final class Net: Sendable {
  private let state = Lock(false)
  var isUp: Bool {
    get { state.withLock(\.self) }
    set { state.withLock { $0 = newValue } }
  }
}

private actor Table: Coordinator {
  static let flow = FlowDescription("table", title: "Table")
  enum Route: Codable { case table }
  enum Timer: Codable { case note }
  struct State: FlowState {
    var notes = 0
    var stays = false
  }
  let context = Context()
  private let net: Net

  init(net: Net) { self.net = net }

  func start() throws {
    router.present(.table)
    try startChild(Server.self)
  }

  func screen(for route: Route) -> Screen { .message("table", title: Text(verbatim: "\(state.notes) notes")) }

  func receive(_ event: Event) throws {
    switch event.name {
    case "note": state.notes += 1
    case "stay": state.stays = true
    case "note-later": try startTimer(.note, after: .seconds(10))
    default: throw event.notTaken
    }
  }

  func timerFired(_ timer: Timer) { state.notes += 1 }

  var canBeCancelled: Bool { !state.stays }

  func childEmitted(_ output: ChildOutput) throws {
    if !net.isUp { try send(.hit, to: output.child, of: Server.self) }
  }
}

private actor Server: Coordinator {
  static let flow = FlowDescription("server", title: "Server")
  enum Route: Codable { case court }
  enum Work: Codable { case serve }
  enum Output: Codable { case hit }
  enum Message: Codable { case hit }
  enum Timer: Codable { case serve }
  struct State: FlowState { var hits = 0 }
  let context = Context()
  private let net: Net

  init(net: Net) { self.net = net }

  func start() { router.present(.court) }

  func screen(for route: Route) -> Screen {
    .message("court", title: Text(verbatim: "\(state.hits) hits"), actions: [.primary("hit", "Hit"), Action("work", "Work")])
  }

  func receive(_ event: Event, on route: Route) throws {
    if event.name == "work" { try startWork(.serve) } else { hit() }
  }

  func receive(_ event: Event) throws {
    switch event.name {
    case "serve": try startWork(.serve)
    case "serve-later": try startTimer(.serve, after: .seconds(5))
    default: throw event.notTaken
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {}
  func workEnded(_ work: Work, with result: WorkResult<Void>) { hit() }
  func timerFired(_ timer: Timer) { hit() }
  func parentSent(_ message: Message) { hit() }

  private func hit() {
    state.hits += 1
    emit(.hit)
  }
}
