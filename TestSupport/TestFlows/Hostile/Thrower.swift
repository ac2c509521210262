import CoordinatorKit

/// A flow that throws in a given handler.
actor Thrower: Coordinator {
  static let flow = FlowDescription(
    "thrower", title: "Thrower", summary: "Throws where it is told to.",
    input: Form(
      Field("at", .choice(title: "Where", of: Place.allCases)), Field("what", .choice(title: "What", of: Mishap.allCases))))

  /// The handler that throws.
  enum Place: String, Codable, CaseIterable, MenuChoice {
    case nowhere, start, receive, screen, work
    case receiveFromChild = "receive-from-child"
    case receiveWithoutScreen = "receive-without-screen"
    case childEnded = "child-ended"
    case childEndedLater = "child-ended-later"
    case workEnded = "work-ended"
    case wentBack = "went-back"

    var title: Text { Text(verbatim: rawValue) }
  }

  enum Route: Codable { case first, second }
  struct State: FlowState {
    var count = 0
    var isArmed = false
  }
  struct Input: Codable {
    var at: Place
    var what: Mishap
  }
  enum Work: Codable { case nothing, mishap(Mishap) }

  let context = Context()

  func start() throws {
    try happen(at: .start)
    router.present(.first)
  }

  func screen(for route: Route) throws -> Screen {
    if state.isArmed { try happen(at: .screen) }
    return .message(
      route == .first ? "first" : "second", title: "Thrower", body: Text(verbatim: "\(state.count)"),
      actions: [Action("go", "Go"), Action("count", "Count"), Action("up", "Leave it to the parent")])
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "count": state.count += 1
    case "go": try go()
    default: throw event.notTaken
    }
  }

  /// Triggers the handler that throws. If that handler runs in the same transition, the change made here must be rolled
  /// back.
  private func go() throws {
    state.count += 100
    switch input.at {
    case .nowhere, .start, .receiveWithoutScreen: break
    case .receive: try input.what.happen()
    case .screen: state.isArmed = true
    case .wentBack: router.present(.second)
    case .receiveFromChild: try startChild(Thrower.self, input: Input(at: .nowhere, what: .plain))
    case .childEnded: try startChild(Brief.self, input: Brief.Input(isLater: false))
    case .childEndedLater: try startChild(Brief.self, input: Brief.Input(isLater: true))
    case .workEnded: try startWork(.nothing)
    case .work: try startWork(.mishap(input.what))
    }
  }

  func receive(_ event: Event, from child: Child) throws {
    try happen(at: .receiveFromChild)
    throw event.notTaken
  }

  func receive(_ event: Event) throws {
    try happen(at: .receiveWithoutScreen)
    throw event.notTaken
  }

  func wentBack(from route: Route) throws { try happen(at: .wentBack) }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    try happen(at: .childEnded)
    try happen(at: .childEndedLater)
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    if case .mishap(let mishap) = work { try mishap.happen() }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) throws { try happen(at: .workEnded) }

  private func happen(at place: Place) throws {
    guard input.at == place else { return }
    // None of this may become visible.
    state.count += 10_000
    router.present(.second)
    try input.what.happen()
  }
}

/// A child that ends on its own.
actor Brief: Coordinator {
  static let flow = FlowDescription(
    "brief", title: "Brief", summary: "Ends when it starts, or when its work is done.",
    input: Form(Field("isLater", .boolean(title: "Later"))))

  struct Input: Codable { var isLater: Bool }
  enum Work: Codable { case nothing }

  let context = Context()

  func start() throws {
    if input.isLater { try startWork(.nothing) } else { finish() }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {}

  func workEnded(_ work: Work, with result: WorkResult<Void>) { finish() }
}
