import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Faults found by review", .timeLimit(.minutes(5)))
struct FoundByReviewTests {
  @Test("Rule 8: A flow whose input would contain a secret is not registered, since inputs are stored")
  func flowWithSecretInputIsNotRegistered() {
    actor Leaky: Coordinator {
      static let flow = FlowDescription("leaky", title: "Leaky", input: Form(Field("pin", .secret(title: "PIN"))))
      enum Route: Codable { case only }
      let context = Context()
      func start() {}
      func screen(for route: Route) -> Screen { .message("only", title: "Only") }
    }
    var catalogue = FlowCatalogue()
    #expect(throws: FlowCatalogueError.secretInput("leaky")) { try catalogue.add { Leaky() } }
  }

  @Test("A coordinator that is asked whether it can be dismissed sees its children and its screens")
  func isDismissableSeesChildrenAndScreens() async throws {
    actor Parent: Coordinator {
      static let flow = FlowDescription("parent", title: "Parent")
      enum Route: Codable { case only }
      let context = Context()
      func start() throws {
        router.present(.only)
        try startChild(Probe.self, input: Probe.Input(at: nil))
      }
      var canBeCancelled: Bool { children.isEmpty && router.routes == [.only] }
      func screen(for route: Route) -> Screen { .message("only", title: "Only") }
    }
    var catalogue = FlowCatalogue()
    try catalogue.add { Parent() }
    try catalogue.add { Probe() }
    let flow = try await TestFlow.start("parent", in: catalogue)
    await #expect(throws: CallError.refused(.notDismissable("parent cannot be dismissed now"))) { try await flow.cancel() }
    try await flow.back()
    try await flow.cancel()
    #expect(try await flow.outcome == .cancelled)
  }

  @Test("A result that cannot be sent fails its coordinator instead of being announced as empty")
  func unsendableResultFailsItsCoordinator() async throws {
    actor Gap: Coordinator {
      static let flow = FlowDescription("gap", title: "Gap")
      typealias Result = [String: [Int?]]
      enum Route: Codable { case only }
      let context = Context()
      func start() { router.present(.only) }
      func screen(for route: Route) -> Screen { .message("only", title: "Only", actions: [Action("go", "Go")]) }
      func receive(_ event: Event, on route: Route) throws { try finish(["answers": [1, nil]]) }
    }
    let flow = try await TestFlow.start { Gap() }
    await #expect(throws: CallError.self) { try await flow.send("go") }
    #expect(try await flow.outcome.name == "failed")
  }

  @Test("The result of work is delivered again if another coordinator's failure dropped its first transition")
  func workResultIsDeliveredAfterDroppedTransition() async throws {
    actor Worker: Coordinator {
      static let flow = FlowDescription("worker", title: "Worker")
      enum Route: Codable { case only }
      enum Work: Codable { case wait }
      struct State: FlowState { var isDone = false }
      let context = Context()
      let gates: Gates
      init(gates: Gates) { self.gates = gates }
      func start() throws {
        router.present(.only)
        try startWork(.wait)
        try startChild(Probe.self, input: Probe.Input(at: nil))
      }
      func screen(for route: Route) -> Screen { .message("only", title: "Only", body: state.isDone ? "done" : "") }
      nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> String { try await gates.wait(at: "w") }
      func workEnded(_ work: Work, with result: WorkResult<String>) throws {
        state.isDone = true
        // Ends the grandchild, which its parent cannot bear.
        try router.dismiss(to: .only)
      }
    }
    let gates = Gates()
    var catalogue = FlowCatalogue()
    try catalogue.add { Worker(gates: gates) }
    try catalogue.add { Probe() }
    let flow = try await TestFlow.start("worker", in: catalogue)
    let child = flow.path("probe_1")
    try await flow.tell(child, .note, "cannot-lose-a-child")
    try await flow.tell(child, .popAll)
    try await flow.tell(child, .child)
    gates.open("w")
    let state = await flow.renderer.state { $0.window.top?.content.body == "done" }
    #expect(state.outcomes[child]?.name == "failed")
  }
}
