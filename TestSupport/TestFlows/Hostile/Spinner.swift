import CoordinatorKit

/// A flow with a handler that never returns.
actor Spinner: Coordinator {
  static let flow = FlowDescription(
    "spinner", title: "Spinner", summary: "Spins where it is told to, and never returns.",
    input: Form(Field("at", .choice(title: "Where", of: Place.allCases))))

  /// The handler that spins.
  enum Place: String, Codable, CaseIterable, MenuChoice {
    case nowhere, start, receive, screen, dismissable
    case childEnded = "child-ended"
    case workEnded = "work-ended"
    case wentBack = "went-back"
    /// A task that a handler starts on its own actor, instead of a handler.
    case task

    var title: Text { Text(verbatim: rawValue) }
  }

  enum Route: Codable { case first, second }
  struct State: FlowState { var isArmed = false }
  struct Input: Codable { var at: Place }
  enum Work: Codable { case nothing }

  let context = Context()

  func start() {
    spin(at: .start)
    router.present(.first)
  }

  func screen(for route: Route) -> Screen {
    if state.isArmed { spin(at: .screen) }
    return .message(route == .first ? "first" : "second", title: "Spinner", actions: [Action("go", "Go")])
  }

  func receive(_ event: Event, on route: Route) throws {
    switch input.at {
    case .nowhere, .start, .dismissable: break
    case .receive: spin(at: .receive)
    case .screen: state.isArmed = true
    case .wentBack: router.present(.second)
    case .childEnded: try startChild(Brief.self, input: Brief.Input(isLater: false))
    case .workEnded: try startWork(.nothing)
    case .task: Task { spin(at: .task) }
    }
  }

  var canBeCancelled: Bool {
    spin(at: .dismissable)
    return true
  }

  func wentBack(from route: Route) { spin(at: .wentBack) }

  func childEnded(_ child: Child, outcome: Outcome) { spin(at: .childEnded) }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {}

  func workEnded(_ work: Work, with result: WorkResult<Void>) { spin(at: .workEnded) }

  private func spin(at place: Place) {
    if input.at == place { Endless.spin() }
  }
}
