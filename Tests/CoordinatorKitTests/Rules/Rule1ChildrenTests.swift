import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 1: Children", .timeLimit(.minutes(5)))
struct Rule1ChildrenTests {
  @Test("Rule 1: A parent holds its children in start order, and several of one kind separately")
  func childrenStayInStartOrder() async throws {
    let flow = try await TestFlow.probe()
    for _ in 1...3 { try await flow.tell(.child) }
    #expect(
      try await flow.coordinators == ["flow_1", "flow_1/probe_1", "flow_1/probe_2", "flow_1/probe_3"])
  }

  @Test("Rule 1: A child's number is never used twice under its parent")
  func childNumbersAreNotReused() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.cancel(flow.path("probe_1"))
    try await flow.tell(.child)
    #expect(try await flow.coordinators == ["flow_1", "flow_1/probe_2"])
  }

  @Test(
    "Rule 1: A child ends exactly once, however it ends, and its parent learns the outcome",
    arguments: [
      (Ending.finished, "finished"), (.cancelled, "cancelled"), (.dismissed, "cancelled"), (.wentBack, "cancelled"),
      (.failed, "failed"), (.dismissedByParent, "cancelled"), (.screensRemoved, "cancelled"),
    ])
  func everyChildEndsOnceWithOutcome(ending: Ending, outcome: String) async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    let child = flow.path("probe_1")
    switch ending {
    case .finished: try await flow.tell(child, .finish, "word")
    case .cancelled: try await flow.tell(child, .cancel)
    case .dismissed: try await flow.cancel(child)
    case .wentBack: try await flow.back()
    case .failed: await #expect(throws: CallError.self) { try await flow.tell(child, .fail) }
    case .dismissedByParent: try await flow.tell(.endChild)
    case .screensRemoved: try await flow.tell(.popTo, "first")
    }
    let state = try await flow.state
    #expect(state.coordinators.keys.map(\.text) == ["flow_1"])
    #expect(state.outcomes[child]?.name == outcome)
    #expect(try await flow.top.content.body.hasSuffix("probe_1=\(outcome)"))
    let endings = await flow.renderer.log.count { if case .ended = $0 { true } else { false } }
    #expect(endings == 1)
  }

  enum Ending: Sendable { case finished, cancelled, dismissed, wentBack, failed, dismissedByParent, screensRemoved }

  @Test("Rule 1: An ended child is released from memory")
  func endedChildIsReleased() async throws {
    final class Witness: Sendable {}
    actor Holder: Coordinator {
      static let flow = FlowDescription("holder", title: "Holder")
      enum Route: Codable { case only }
      let context = Context()
      let witness: Witness
      init(_ witness: Witness) { self.witness = witness }
      func start() { router.present(.only) }
      func screen(for route: Route) -> Screen { .message("only", title: "Only") }
    }
    weak var seen: Witness?
    let made = Made<Witness>()
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe() }
    try catalogue.add {
      let witness = Witness()
      made.remember(witness)
      return Holder(witness)
    }
    let flow = try await TestFlow.start("probe", in: catalogue)
    try await flow.call(.startChild(flow.tree.root, flow: "holder", input: [:], router: .modal))
    seen = made.last
    #expect(seen != nil)
    try await flow.back()
    #expect(made.last == nil)
  }

  @Test("Rule 1: A covered child has not ended")
  func coveredChildIsNotEnded() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(.modal, "over")
    #expect(try await flow.coordinators == ["flow_1", "flow_1/probe_1"])
    try await flow.back()
    #expect(try await flow.top.coordinator == flow.path("probe_1"))
  }

  @Test("Rule 1: An ending parent's children are cancelled first, newest first, without notifying the parent")
  func childrenEndNewestFirst() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    let parent = flow.path("probe_1")
    try await flow.tell(parent, .child)
    try await flow.tell(parent, .child)
    await flow.renderer.clearLog()
    try await flow.tell(parent, .finish, "done")
    let ended = await flow.renderer.log.compactMap { event in
      if case .ended(let path, let outcome) = event { "\(path.name) \(outcome.name)" } else { nil }
    }
    #expect(ended == ["probe_2 cancelled", "probe_1 cancelled", "probe_1 finished"])
    #expect(try await flow.top.content.body == "probe_1=finished")
  }

  @Test("Rule 1: A root without a screen, a child, or work fails with nothing-to-show")
  func rootWithNothingToShowFails() async throws {
    let flow = try await TestFlow.probe()
    await #expect(throws: CallError.failed(.init(code: "nothing-to-show", technical: nothingLeft))) {
      try await flow.tell(.popAll)
    }
    #expect(try await flow.outcome == .failed(.init(code: "nothing-to-show", technical: nothingLeft)))
  }

  @Test("Rule 1: A flow that has nothing to show at its start does not start")
  func flowWithNothingToShowDoesNotStart() async throws {
    await #expect(throws: CallError.failed(.init(code: "nothing-to-show", technical: nothingLeft))) {
      try await TestFlow.probe("nothing")
    }
  }

  @Test("Rule 1: A root without a screen lives on while it has a child or work")
  func rootLivesWithChildOrWork() async throws {
    let gates = Gates()
    let flow = try await TestFlow.probe(gates: gates)
    try await flow.tell(.child)
    try await flow.tell(.work, "gate")
    try await flow.tell(.popAll)
    #expect(try await flow.coordinators == ["flow_1"])
    gates.open("gate")
    let state = await flow.renderer.state { !$0.isAlive }
    #expect(state.outcomes[flow.tree.root]?.name == "failed")
  }

  private let nothingLeft = "the flow has no screen, no child and no work left"
}

/// A weak reference to the object that was made last.
private final class Made<Object: AnyObject & Sendable>: @unchecked Sendable {
  // Written while the flow tree runs a handler, and read after it has answered; never concurrently.
  private weak var object: Object?
  func remember(_ object: Object) { self.object = object }
  var last: Object? { object }
}
