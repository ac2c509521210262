import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("FlowExplorer: endless flows", .timeLimit(.minutes(5)))
struct EndlessTests {
  @Test("A walk of a counting flow merges its counts into none, one, and many, or more if the test says so")
  func countingStatesAreMerged() async throws {
    var explorer = try explorer(goal: 4)
    explorer.maxStates = 40
    let few = try await explorer.walk()
    #expect(few.screens == ["count", "page"])
    explorer.countingTo = 5
    #expect(try await explorer.walk().screens == ["count", "page", "reward"])
  }

  @Test("A walk of an endless flow stops at its budget and says so, after trying everything that is offered")
  func walkStopsAtItsBudget() async throws {
    var explorer = try explorer(goal: 1)
    explorer.maxStates = 40
    let walk = try await explorer.walk()
    #expect(!walk.isComplete)
    #expect(walk.states == 40)
    let growth = try #require(walk.growth)
    #expect(growth.hasPrefix("_0 in the page in the route of counter keeps growing: …, ") && growth.hasSuffix(", …"), "\(growth)")
    #expect(
      walk.problems(screens: ["count", "page", "reward"]).map(\.kind) == [.isIncomplete(states: 40), .growsWithoutEnd(growth)])
    try walk.expect(screens: ["count", "page", "reward"], completely: false)
  }

  @Test("A walk names the running work that piles up because it is started without a key")
  func pilingWorkIsNamed() async throws {
    var explorer = try FlowExplorer { Piler() }
    explorer.maxStates = 30
    let walk = try await explorer.walk()
    #expect(!walk.isComplete)
    let growth = try #require(walk.growth)
    #expect(growth.hasPrefix("the number of running work of piler keeps growing: …, "), "\(growth)")
  }

  @Test("When the budget runs low, a walk prefers what it has not tried anywhere")
  func untriedActionsComeFirst() async throws {
    var explorer = try FlowExplorer { Switchboard() }
    explorer.maxStates = 120
    let walk = try await explorer.walk()
    #expect(!walk.isComplete)
    // Searching by distance alone would take hundreds of states: at each step, every switch can be on or off.
    try walk.expect(screens: Set((0...6).map { "step-\($0)" }), completely: false)
  }

  @Test("The depth limit stops a walk of children that start each other")
  func depthLimitStopsRecursiveChildren() async throws {
    var explorer = try Maze.explorer(["hall": .init(actions: [("deeper", .child), ("leave", .finish)])])
    explorer.limits.maxDepth = 5
    let walk = try await explorer.walk()
    try walk.expect(screens: ["hall"])
    #expect(walk.states == 5)
  }

  @Test("A walk ends even if screens pile up")
  func walkEndsForPilingScreens() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("on", .to("room"))]), "room": .init(actions: [("back-to-hall", .to("hall"))]),
    ]).walk()
    try walk.expect(screens: ["hall", "room"])
    #expect(walk.states == 5)
  }

  @Test("Children that differ only in their numbers are the same state")
  func childNumbersDoNotMatter() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Remembering() }
    let walk = try await FlowExplorer("remembering", in: catalogue).walk()
    try walk.expect(screens: ["remembering"])
    #expect(walk.states == 3)
  }

  private func explorer(goal: Int) throws -> FlowExplorer {
    var catalogue = FlowCatalogue()
    try catalogue.add { Counter(goal: goal) }
    return FlowExplorer("counter", in: catalogue)
  }
}

/// A flow that keeps its last child, a flow of the same kind, in its state.
private actor Remembering: Coordinator {
  static let flow = FlowDescription("remembering", title: "Remembering")
  enum Route: Codable { case only }
  struct State: FlowState { var last: Child? }
  let context = Context()

  func start() { router.present(.only) }
  func screen(for route: Route) -> Screen {
    .message("remembering", title: "Remembering", actions: [Action("start", "Start")])
  }
  func receive(_ event: Event, on route: Route) throws {
    // Only the root starts children: children are refused it.
    guard path?.depth == 1 else { throw Refusal.denied("one is enough") }
    state.last = try startChild(Remembering.self)
  }
}

/// A flow with eight switches that have no effect, on each of seven consecutive screens.
private actor Switchboard: Coordinator {
  static let flow = FlowDescription("switchboard", title: "Switchboard")
  struct Route: Codable, Hashable { var step: Int }
  struct State: FlowState { var on: [String: Bool] = [:] }
  let context = Context()

  func start() { router.present(Route(step: 0)) }

  func screen(for route: Route) -> Screen {
    let switches = (1...8).map { Action("switch-\($0)", verbatim: "Switch \($0)") }
    let next = route.step < 6 ? [Action("next", "Next")] : []
    return .message("step-\(route.step)", title: Text(verbatim: "Step \(route.step)"), actions: switches + next)
  }

  func receive(_ event: Event, on route: Route) throws {
    if event.name == "next" { return router.present(Route(step: route.step + 1)) }
    state.on[event.name, default: false].toggle()
  }
}

/// A flow that starts the same work with each answer, and forgets the key.
private actor Piler: Coordinator {
  static let flow = FlowDescription("piler", title: "Piler")
  enum Route: Codable { case heap }
  enum Work: Codable { case lift }
  let context = Context()
  func start() { router.present(.heap) }
  func screen(for route: Route) -> Screen { .message("heap", title: "Heap", actions: [Action("lift", verbatim: "lift")]) }
  func receive(_ event: Event, on route: Route) throws { try startWork(.lift) }
  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Bool { true }
  func workEnded(_ work: Work, with result: WorkResult<Bool>) {}
}
