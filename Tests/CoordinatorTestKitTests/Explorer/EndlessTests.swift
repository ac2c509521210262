import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("FlowExplorer: flows without end")
struct EndlessTests {
  @Test("a flow that counts has an end: none, one, many; more if the test says so")
  func counter() async throws {
    var explorer = try explorer(goal: 4)
    explorer.maxStates = 40
    let few = try await explorer.walk()
    #expect(few.screens == ["count", "page"])
    explorer.countingTo = 5
    #expect(try await explorer.walk().screens == ["count", "page", "reward"])
  }

  @Test("where there is no end, the walk stops at its budget, and says so; all that is offered was tried by then")
  func budget() async throws {
    var explorer = try explorer(goal: 1)
    explorer.maxStates = 40
    let walk = try await explorer.walk()
    #expect(!walk.isComplete)
    #expect(walk.states == 40)
    #expect(walk.problems(screens: ["count", "page", "reward"]).map(\.kind) == [.isIncomplete(states: 40)])
    try walk.expect(screens: ["count", "page", "reward"], completely: false)
  }

  @Test("when the budget runs low, what was tried nowhere comes first")
  func breadth() async throws {
    var explorer = try FlowExplorer { Switchboard() }
    explorer.maxStates = 120
    let walk = try await explorer.walk()
    #expect(!walk.isComplete)
    // Nearest first alone would need hundreds of states to get there: at each step, every switch can be on or off.
    try walk.expect(screens: Set((0...6).map { "step-\($0)" }), completely: false)
  }

  @Test("children that start each other are stopped by the limit of depth")
  func recursion() async throws {
    var explorer = try Maze.explorer(["hall": .init(actions: [("deeper", .child), ("leave", .finish)])])
    explorer.limits.maxDepth = 5
    let walk = try await explorer.walk()
    try walk.expect(screens: ["hall"])
    #expect(walk.states == 5)
  }

  @Test("screens that pile up have an end too")
  func pile() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("on", .to("room"))]), "room": .init(actions: [("back-to-hall", .to("hall"))]),
    ]).walk()
    try walk.expect(screens: ["hall", "room"])
    #expect(walk.states == 5)
  }

  @Test("children of other numbers are the same children")
  func numbers() async throws {
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

/// Keeps the last of its children, a flow of the same kind, in its state.
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
    // Only the root starts children: in a child this is refused.
    guard path?.depth == 1 else { throw Refusal.denied("one is enough") }
    state.last = try startChild(Remembering.self)
  }
}

/// Eight switches that make no difference, on each of seven screens in a row.
private actor Switchboard: Coordinator {
  static let flow = FlowDescription("switchboard", title: "Switchboard")
  struct Route: Codable, Hashable { var step: Int }
  struct State: FlowState { var on: [String: Bool] = [:] }
  let context = Context()

  func start() { router.present(Route(step: 0)) }

  func screen(for route: Route) -> Screen {
    let switches = (1...8).map { Action("switch-\($0)", "Switch \($0)") }
    let next = route.step < 6 ? [Action("next", "Next")] : []
    return .message("step-\(route.step)", title: "Step \(route.step)", actions: switches + next)
  }

  func receive(_ event: Event, on route: Route) throws {
    if event.name == "next" { return router.present(Route(step: route.step + 1)) }
    state.on[event.name, default: false].toggle()
  }
}
