import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 1: Outputs and messages of living coordinators", .timeLimit(.minutes(5)))
struct Rule1TellingTests {
  private static func start(_ root: String = "listener", limits: Limits = Limits()) async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    try catalogue.add { Listener() }
    try catalogue.add { Teller() }
    return try await TestFlow.start(root, in: catalogue, limits: limits)
  }

  /// Sends an event to the root, from no screen.
  private func tell(_ flow: TestFlow, _ event: String, _ argument: String? = nil) async throws {
    try await tell(flow, at: flow.tree.root, event, argument)
  }

  /// Sends an event to the first child, from no screen.
  private func tellChild(_ flow: TestFlow, _ event: String, _ argument: String? = nil) async throws {
    try await tell(flow, at: flow.tree.root.child("teller_1"), event, argument)
  }

  private func tell(_ flow: TestFlow, at path: CoordinatorPath, _ event: String, _ argument: String?) async throws {
    let payload: [String: JSONValue] = argument.map { ["a": .string($0)] } ?? [:]
    try await flow.call(.delegate(path, screen: nil, event: event, payload: payload, seen: nil))
  }

  /// The words that the parent has heard, which are the title of its first screen.
  private func heard(_ flow: TestFlow) async throws -> [String] {
    try await flow.screens.first?.content.title.split(separator: " ").map(String.init) ?? []
  }

  @Test("Rule 1: A child sends its parent an output in the same transition, and lives on")
  func childTellsAndLives() async throws {
    let flow = try await Self.start()
    let before = try await flow.state.revision
    try await tellChild(flow, "say", "hello")
    #expect(try await heard(flow) == ["hello"])
    #expect(try await flow.state.revision == before + 1)
    #expect(try await flow.coordinators == ["flow_1", "flow_1/teller_1"])
  }

  @Test("Rule 1: Back leads from what the parent shows next into the child that has done its job")
  func backLeadsIntoTheChild() async throws {
    let flow = try await Self.start()
    try await tell(flow, "manner", "next")
    try await tellChild(flow, "say", "done")
    #expect(try await flow.names == ["first", "page", "next"])
    try await flow.back()
    #expect(try await flow.names == ["first", "page"])
    #expect(try await flow.coordinators == ["flow_1", "flow_1/teller_1"])
    try await tellChild(flow, "say", "again")
    #expect(try await flow.names == ["first", "page", "next"])
  }

  @Test("Rule 1: A thousand values of one handler are delivered in order")
  func thousandValuesArriveInOrder() async throws {
    let flow = try await Self.start()
    try await tellChild(flow, "count", "1000")
    #expect(try await heard(flow) == (1...1_000).map(String.init))
  }

  @Test("Rule 1: An output that a child sends before it finishes arrives before its result, and one sent afterwards is dropped")
  func valueArrivesBeforeTheResult() async throws {
    let flow = try await Self.start()
    try await tellChild(flow, "say-and-finish", "last")
    #expect(try await heard(flow) == ["last", "finished=1"])
    let other = try await Self.start()
    try await tellChild(other, "finish-and-say", "late")
    #expect(try await heard(other) == ["finished=1"])
  }

  @Test("Rule 1: A message reaches the child in the same transition, and a child that was just started after its start")
  func messageReachesTheChild() async throws {
    let flow = try await Self.start()
    try await tell(flow, "ask", "question")
    #expect(try await flow.top.content.title == "started question")
    try await tell(flow, "greet")
    #expect(try await flow.coordinators == ["flow_1", "flow_1/teller_1", "flow_1/teller_2"])
    #expect(try await flow.top.content.title == "started greeting")
  }

  @Test("Rule 1: A message to a child that ends in the same transition is dropped")
  func messageToEndingChildIsDropped() async throws {
    let flow = try await Self.start()
    try await tellChild(flow, "repeat")
    try await tell(flow, "ask-and-dismiss")
    #expect(try await heard(flow) == ["cancelled"])
  }

  @Test("Rule 1: A value for a parent that ends in the same transition is dropped")
  func valueForEndingParentIsDropped() async throws {
    let flow = try await Self.start()
    try await tell(flow, "manner", "end")
    try await tellChild(flow, "count", "3")
    #expect(try await flow.outcome == .cancelled)
  }

  @Test("Rule 1: A refusal by the receiver drops the whole transition, and is the reply")
  func refusalDropsEverything() async throws {
    let flow = try await Self.start()
    try await tell(flow, "manner", "refuse")
    let before = try await flow.state.revision
    await #expect(throws: CallError.refused(.denied("not now"))) { try await tellChild(flow, "say-and-finish", "x") }
    #expect(try await flow.state.revision == before)
    #expect(try await flow.coordinators == ["flow_1", "flow_1/teller_1"])
  }

  @Test("Rule 1: If the receiver fails, it ends as failed, and with it the child that sent the output")
  func failureIsTheReceivers() async throws {
    let flow = try await Self.start()
    try await tell(flow, "manner", "fail")
    await #expect(throws: CallError.self) { try await tellChild(flow, "say", "x") }
    guard case .failed(let failure) = try await flow.outcome else {
      Issue.record("the root has not failed")
      return
    }
    #expect(failure.code == "deaf")
  }

  @Test("Rule 1: More values than handlers may run are refused before they take up memory")
  func tooManyValuesAreRefused() async throws {
    let flow = try await Self.start()
    let limit = Limits().maxHandlers
    await #expect(throws: CallError.refused(.limitExceeded("an event must not trigger more than \(limit) handlers"))) {
      try await tellChild(flow, "count", "100000")
    }
    #expect(try await heard(flow).isEmpty)
  }

  @Test("Rule 1: A parent whose work ends a child with each message fails in the end, instead of starting children for ever")
  func supervisorGivesUp() async throws {
    let flow = try await TestFlow.start("supervisor", in: Supervisor.catalogue())
    let state = await flow.renderer.state { !$0.isAlive }
    guard case .failed(let failure)? = state.outcomes[state.root] else {
      Issue.record("the supervisor has not failed")
      return
    }
    #expect(failure.code == "poisoned")
  }

  @Test("Rule 1: Parent and child that answer each other for ever meet the limit of handlers, and nothing has changed")
  func pingPongMeetsTheLimit() async throws {
    var limits = Limits()
    limits.maxHandlers = 100
    let flow = try await Self.start(limits: limits)
    try await tell(flow, "manner", "answer")
    try await tellChild(flow, "repeat")
    let before = try await flow.state.revision
    let error = await #expect(throws: CallError.self) { try await tellChild(flow, "say", "ping") }
    #expect(error == .refused(.limitExceeded("an event must not trigger more than 100 handlers")))
    #expect(try await flow.state.revision == before)
    #expect(try await heard(flow).isEmpty)
    try await tell(flow, "manner", "note")
    try await tellChild(flow, "say", "on")
    #expect(try await heard(flow) == ["on"])
  }

  @Test("Rule 1: An output of a root has no receiver, and nothing happens")
  func rootIsHeardByNobody() async throws {
    let flow = try await Self.start("teller")
    try await tell(flow, "say", "hello")
    #expect(try await flow.coordinators == ["flow_1"])
  }

  @Test("Rule 1: A message of another flow's type fails its sender, and says so")
  func messageToAnotherFlowFails() async throws {
    let flow = try await Self.start()
    await #expect(throws: CallError.self) { try await tell(flow, "mistake") }
    guard case .failed(let failure) = try await flow.outcome else {
      Issue.record("the sender has not failed")
      return
    }
    #expect(failure.message == "a message for the flow listener was sent to a child that runs teller")
  }

  @Test("Rule 1: A restart restores the state that outputs have changed")
  func toldIsKept() async throws {
    let flow = try await Self.start()
    try await tellChild(flow, "say", "before")
    let back = try await flow.restarted()
    try await tellChild(back, "say", "after")
    #expect(try await heard(back) == ["before", "after"])
  }
}
