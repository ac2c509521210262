import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 3: Transitions", .timeLimit(.minutes(5)))
struct Rule3TransitionTests {
  @Test("Rule 3: All changes of one event share one revision and are announced together")
  func oneEventMakesOneRevision() async throws {
    let flow = try await TestFlow.probe()
    #expect(try await flow.state.revision == 1)
    await flow.renderer.clearLog()
    #expect(try await flow.tell(.child, "modal") == .revision(2))
    #expect(
      await flow.renderer.log == [
        .started(flow.path("probe_1")), .presented(ScreenID(2), "first", .modal, layer: 1),
        .settled(revision: 2, top: ScreenID(2)),
      ])
  }

  @Test("Rule 3: A transition that changes no screen keeps the revision and announces nothing")
  func invisibleTransitionKeepsRevision() async throws {
    let flow = try await TestFlow.probe()
    await flow.renderer.clearLog()
    #expect(try await flow.tell(.popTo, "first") == .revision(1))
    #expect(await flow.renderer.log.isEmpty)
  }

  @Test("Rule 3: A refusal is the reply and changes nothing")
  func refusalChangesNothing() async throws {
    let flow = try await TestFlow.probe()
    await flow.renderer.clearLog()
    await #expect(throws: CallError.refused(.denied("not now"))) { try await flow.tell(.refuse) }
    #expect(await flow.renderer.log.isEmpty)
    try await flow.tell(.note, "after")
    #expect(try await flow.top.content.body == "after")
    #expect(try await flow.top.id == ScreenID(1))
  }

  @Test("Rule 3: Any other error fails the coordinator that threw it and drops its whole transition")
  func otherErrorFailsItsCoordinator() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(.child)
    let failing = flow.path("probe_1")
    await #expect(throws: CallError.failed(Failure(code: "broken", message: "it broke"))) {
      try await flow.tell(failing, .fail)
    }
    let state = try await flow.state
    #expect(state.outcomes[failing] == .failed(Failure(code: "broken", message: "it broke")))
    #expect(state.coordinators[flow.tree.root] != nil)
    #expect(!(await flow.renderer.log).contains { if case .presented(_, "failed", _, _) = $0 { true } else { false } })
  }

  @Test("Rule 3: The siblings of a failed coordinator live on, unless their screens were above its own")
  func siblingsOfFailedCoordinatorLiveOn() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(.child)
    await #expect(throws: CallError.self) { try await flow.tell(flow.path("probe_2"), .fail) }
    #expect(try await flow.coordinators == ["flow_1", "flow_1/probe_1"])
    #expect(try await flow.names == ["first", "first"])
  }

  @Test("Rule 3: A parent that cannot handle its child's failure fails too, and its own parent lives on")
  func childFailureCanFailItsParent() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(flow.path("probe_1"), .note, "cannot-lose-a-child")
    try await flow.tell(flow.path("probe_1"), .child)
    await #expect(throws: CallError.failed(Failure(code: "broken", message: "it broke"))) {
      try await flow.tell(flow.path("probe_1", "probe_1"), .fail)
    }
    #expect(try await flow.coordinators == ["flow_1"])
    #expect(try await flow.top.content.body == "probe_1=failed")
    #expect(try await flow.state.outcomes[flow.path("probe_1")] == .failed(Failure(code: "lost", message: "lost a child")))
  }

  @Test("Rule 3: A failed root ends the tree")
  func failedRootEndsTheTree() async throws {
    let flow = try await TestFlow.probe()
    await #expect(throws: CallError.failed(Failure(code: "broken", message: "it broke"))) { try await flow.tell(.fail) }
    #expect(try await flow.outcome.name == "failed")
    await #expect(throws: CallError.unknownCoordinator(flow.tree.root)) { try await flow.tell(.note) }
  }

  @Test("Rule 3: A child that fails to start leaves nothing behind, and its parent lives on")
  func childFailingAtStartLeavesNothing() async throws {
    let flow = try await TestFlow.probe()
    await #expect(throws: CallError.failed(Failure(code: "no-start", message: "cannot start"))) {
      try await flow.tell(.childAt, "throw")
    }
    await #expect(throws: CallError.refused(.invalidInput(["at": "refuses to start"]))) {
      try await flow.tell(.childAt, "refuse")
    }
    #expect(try await flow.coordinators == ["flow_1"])
    #expect(try await flow.state.outcomes.isEmpty)
    try await flow.tell(.child)
    #expect(try await flow.coordinators == ["flow_1", "flow_1/probe_1"])
  }

  @Test("Rule 3: A failed commit rolls everything back, and the reply says so")
  func failedCommitRollsBack() async throws {
    let flow = try await TestFlow.probe(store: GatedStore(gates: Gates(), refuses: 2))
    await flow.renderer.clearLog()
    await #expect(throws: CallError.notStored("RefusesToStore()")) { try await flow.tell(.child) }
    #expect(await flow.renderer.log.isEmpty)
    try await flow.tell(.child)
    #expect(try await flow.coordinators == ["flow_1", "flow_1/probe_1"])
  }

  @Test("Rule 3: A refusal without a caller to refuse fails the coordinator")
  func refusalWithoutCallerFailsCoordinator() async throws {
    let gates = Gates()
    let flow = try await TestFlow.probe(gates: gates)
    try await flow.tell(.note, "cannot-bear-work")
    try await flow.tell(.work, "gate")
    gates.open("gate")
    let state = await flow.renderer.state { !$0.isAlive }
    #expect(state.outcomes[flow.tree.root]?.name == "failed")
  }

  @Test("Rule 3: A screen that a transition both presents and dismisses is never announced")
  func briefScreenIsNeverAnnounced() async throws {
    actor Flicker: Coordinator {
      static let flow = FlowDescription("flicker", title: "Flicker")
      enum Route: Codable { case steady, brief }
      let context = Context()
      func start() { router.present(.steady) }
      func screen(for route: Route) -> Screen { .message("\(route)", title: "x", actions: [Action("go", "Go")]) }
      func receive(_ event: Event, on route: Route) {
        router.present(.brief)
        router.dismiss()
      }
    }
    let flow = try await TestFlow.start { Flicker() }
    await flow.renderer.clearLog()
    #expect(try await flow.send("go") == .revision(1))
    #expect(await flow.renderer.log.isEmpty)
  }

  @Test("Rule 3: An event that triggers handlers endlessly is refused")
  func endlessHandlersAreRefused() async throws {
    actor Restarter: Coordinator {
      static let flow = FlowDescription("restarter", title: "Restarter")
      enum Route: Codable { case only }
      let context = Context()
      func start() { router.present(.only) }
      func screen(for route: Route) -> Screen { .message("only", title: "x", actions: [Action("go", "Go")]) }
      func receive(_ event: Event, on route: Route) throws { try startChild(Ender.self) }
      func childEnded(_ child: Child, outcome: Outcome) throws { try startChild(Ender.self) }
    }
    actor Ender: Coordinator {
      static let flow = FlowDescription("ender", title: "Ender")
      enum Route: Codable { case none }
      let context = Context()
      func start() { finish() }
      func screen(for route: Route) -> Screen { .message("none", title: "x") }
    }
    var catalogue = FlowCatalogue()
    try catalogue.add { Restarter() }
    try catalogue.add { Ender() }
    var limits = Limits()
    limits.maxHandlers = 100
    let flow = try await TestFlow.start("restarter", in: catalogue, limits: limits)
    await #expect(throws: CallError.self) { try await flow.send("go") }
    #expect(try await flow.coordinators == ["flow_1"])
  }
}
