import CoordinatorKit

/// A minimal flow: each event replaces one screen with another.
actor Turn: Coordinator {
  static let flow = FlowDescription("turn", title: "Turn", summary: "A leaf of paper.")

  enum Route: Codable { case first, other }
  struct State: FlowState { var turns = 0 }

  let context = Context()

  func start() { router.present(.first) }

  func screen(for route: Route) -> Screen {
    .message(
      route == .first ? "first-side" : "other-side", title: route == .first ? "The first side" : "The other side",
      body: "A leaf of paper has two sides. Turn it over to see what is on the other one.",
      actions: [.primary("turn", "Turn over"), .cancel("leave", "Leave")])
  }

  func receive(_ event: Event, on route: Route) throws {
    guard event.name == "turn" else { return cancel() }
    state.turns += 1
    router.replace(with: route == .first ? .other : .first)
  }
}
