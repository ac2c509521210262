import CoordinatorTestKit
import Platform
import Testing

@testable import CoordinatorKit

/// The messages that an author of flows reads about a mistake.
@Suite("Errors that authors of flows make", .timeLimit(.minutes(5)))
struct AuthorErrorTests {
  /// A flow whose events make one mistake each.
  private actor Mistaken: Coordinator {
    enum Route: Codable { case only, never }
    typealias Result = Int
    static let flow = FlowDescription("mistaken", title: "Mistaken")
    let context = Context()

    func start() { router.present(.only) }

    func screen(for route: Route) -> Screen {
      .message("only", title: "Only", actions: ["number", "route", "child"].map { Action($0, verbatim: $0) })
    }

    func receive(_ event: Event, on route: Route) throws {
      switch event.name {
      case "number": try finish(3)
      case "route": try router.dismiss(to: .never)
      case "child": try startChild(flow: "nowhere", input: [:])
      default: throw event.notTaken
      }
    }
  }

  private func failure(of event: String) async throws -> String {
    let flow = try await TestFlow.start { Mistaken() }
    let error = await #expect(throws: CallError.self) { try await flow.send(event) }
    guard case .failed(let failure)? = error else { return "\(String(describing: error))" }
    return failure.message
  }

  @Test("finish(3) fails, and says that a result is an object")
  func resultMustBeAnObject() async throws {
    #expect(
      try await failure(of: "number")
        == "a flow's result must encode as an object with named values, but Int encodes as a number: finish with a struct")
  }

  @Test("dismiss(to:) of a route that is not shown fails, and names the route and the coordinator")
  func dismissingToUnshownRouteFails() async throws {
    #expect(
      try await failure(of: "route") == "flow_1 does not show the route never, so nothing above it can be dismissed")
  }

  /// A flow whose screen after an event is malformed.
  private actor Colorful: Coordinator {
    enum Route: Codable, Hashable { case menu, accent, actions, items }
    static let flow = FlowDescription("colorful", title: "Colorful")
    let context = Context()

    func start() { router.present(.menu) }

    func screen(for route: Route) -> Screen {
      switch route {
      case .menu: .message("menu", title: "Menu", actions: ["accent", "actions", "items"].map { Action($0, verbatim: $0) })
      case .accent: .message("accent", title: "Accent", accent: "red;}body{")
      case .actions: .message("actions", title: "Actions", actions: [Action("go", "Go"), Action("go", "Go on")])
      case .items: .list("items", title: "Items", items: [Item("a", "A"), Item("b", "B"), Item("a", "C")])
      }
    }

    func receive(_ event: Event, on route: Route) throws {
      router.present(event.name == "accent" ? .accent : event.name == "actions" ? .actions : .items)
    }
  }

  @Test(
    "A screen whose accent is no color, or two of whose actions or rows have one id, fails its coordinator before it is shown",
    arguments: [
      ("accent", "a screen whose 'accent' is invalid: must be a color as #RRGGBB"),
      ("actions", "a screen whose 'actions.id' is invalid: 'go' occurs twice"),
      ("items", "a screen whose 'items.id' is invalid: 'a' occurs twice"),
    ])
  func malformedScreensFail(_ event: String, _ message: String) async throws {
    let flow = try await TestFlow.start { Colorful() }
    let error = await #expect(throws: CallError.self) { try await flow.send(event) }
    guard case .failed(let failure)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.message.contains(message), "\(failure.message)")
  }

  @Test("A child of an unknown flow is refused, and the refusal says that the catalogue lacks the flow")
  func unknownChildFlowIsRefused() async throws {
    let flow = try await TestFlow.start { Mistaken() }
    await #expect(throws: CallError.refused(.unknownFlow("nowhere"))) { try await flow.send("child") }
    #expect("\(Refusal.unknownFlow("nowhere"))" == "the catalogue has no flow 'nowhere'")
  }

  @Test("A flow tree is started once: a second start is refused, and changes nothing")
  func secondStartIsRefused() async throws {
    let flow = try await TestFlow.probe("first")
    let before = await flow.tree.state.revision
    let answer = await withCheckedContinuation { continuation in
      flow.tree.start(flow: "probe", input: [:]) { continuation.resume(returning: $0) }
    }
    #expect(answer == .failure(.refused(.denied("the flow tree flow_1 has already been started"))))
    #expect(await flow.tree.state.revision == before)
    try await flow.tell(.push, "second")
    #expect(try await flow.screens.count == 2)
  }
}

@Suite("Rule 10: The order in which coordinators resume", .timeLimit(.minutes(5)))
struct ResumeOrderTests {
  @Test("Rule 10: Coordinators resume in the order in which they were started, across branches of the tree")
  func coordinatorsResumeAsStarted() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Probe() }
    let clock = Lock<UInt64>(0)
    let tree = FlowTree(
      root: "flow_1",
      environment: FlowTree.Environment(
        catalogue: catalogue, observer: RecordingRenderer(),
        now: {
          clock.withLock { time in
            time += 1
            return time
          }
        }))
    func answer(_ call: @escaping @Sendable (@escaping FlowTree.Reply) -> Void) async throws {
      _ = try await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }.get()
    }
    try await answer { tree.start(flow: "probe", input: [:], reply: $0) }
    let root = tree.root
    for parent in [root, root, root.child("probe_1")] {
      try await answer { reply in
        tree.post(.startChild(parent, flow: "probe", input: [:], router: .navigation), reply: reply)
      }
    }
    let paths = await tree.state.coordinatorsAsStarted.map(\.path.text)
    #expect(paths == ["flow_1", "flow_1/probe_1", "flow_1/probe_2", "flow_1/probe_1/probe_1"])
  }

  @Test("Rule 10: Parents resume before their children, even if the clock was set back in between")
  func parentsResumeFirst() throws {
    var state = TreeState(root: CoordinatorPath(root: "flow_1"))
    let child = state.root.child("probe_1")
    state.put(.sample(state.root, startedAt: 100, children: [child]))
    state.put(.sample(child, startedAt: 5))
    #expect(state.coordinatorsAsStarted.map(\.path) == [state.root, child])
  }
}

extension CoordinatorRecord {
  fileprivate static func sample(
    _ path: CoordinatorPath, startedAt: UInt64, children: [CoordinatorPath] = []
  ) -> CoordinatorRecord {
    var record = CoordinatorRecord(
      path: path, flow: "probe", input: [:], inputSize: 0, router: .navigation, startedAt: startedAt, lastChild: 0,
      state: Probe.State(), work: [])
    record.children = children
    return record
  }
}
