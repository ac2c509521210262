import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 1: children")
struct Rule1ChildrenTests {
  @Test("Rule 1: a parent holds its children in the order in which they started, two of one kind as two")
  func childrenInOrder() async throws {
    let flow = try await TestFlow.probe()
    for _ in 1...3 { try await flow.tell(.child) }
    #expect(
      try await flow.coordinators == ["flow_1", "flow_1/probe_1", "flow_1/probe_2", "flow_1/probe_3"])
  }

  @Test("Rule 1: a child's number is never used twice under its parent")
  func numbersAreNotReused() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.dismiss(flow.path("probe_1"))
    try await flow.tell(.child)
    #expect(try await flow.coordinators == ["flow_1", "flow_1/probe_2"])
  }

  @Test(
    "Rule 1: a child ends once, whichever way, and its parent is told the outcome",
    arguments: [
      (Ending.finished, "finished"), (.cancelled, "cancelled"), (.dismissed, "cancelled"), (.wentBack, "cancelled"),
      (.failed, "failed"), (.dismissedByParent, "cancelled"), (.screensRemoved, "cancelled"),
    ])
  func endings(ending: Ending, outcome: String) async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    let child = flow.path("probe_1")
    switch ending {
    case .finished: try await flow.tell(child, .finish, "word")
    case .cancelled: try await flow.tell(child, .cancel)
    case .dismissed: try await flow.dismiss(child)
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

  @Test("Rule 1: an ended child is released from memory")
  func releasesEndedChildren() async throws {
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

  @Test("Rule 1: a covered child is not an ended child")
  func coveredIsNotEnded() async throws {
    let flow = try await TestFlow.probe()
    try await flow.tell(.child)
    try await flow.tell(.modal, "over")
    #expect(try await flow.coordinators == ["flow_1", "flow_1/probe_1"])
    try await flow.back()
    #expect(try await flow.top.coordinator == flow.path("probe_1"))
  }

  @Test("Rule 1: an ending parent's children end first, newest first, cancelled, and it is told of none")
  func newestFirst() async throws {
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

  @Test("Rule 1: a root left with no screen, no child and no work fails with nothing-to-show")
  func nothingToShow() async throws {
    let flow = try await TestFlow.probe()
    await #expect(throws: CallError.failed(.init(code: "nothing-to-show", message: nothingLeft))) {
      try await flow.tell(.popAll)
    }
    #expect(try await flow.outcome == .failed(.init(code: "nothing-to-show", message: nothingLeft)))
  }

  @Test("Rule 1: a flow that starts with nothing to show does not start")
  func nothingAtStart() async throws {
    await #expect(throws: CallError.failed(.init(code: "nothing-to-show", message: nothingLeft))) {
      try await TestFlow.probe("nothing")
    }
  }

  @Test("Rule 1: a root without a screen lives on while it has a child or work")
  func livesWithChildOrWork() async throws {
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

/// Remembers weakly what was made last.
private final class Made<Object: AnyObject & Sendable>: @unchecked Sendable {
  // Written while the flow tree runs a handler, read when it has answered; never at once.
  private weak var object: Object?
  func remember(_ object: Object) { self.object = object }
  var last: Object? { object }
}
