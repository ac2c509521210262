import CoordinatorKit

/// The entrance of the shop. It does not ask for a password; the flow `account` does.
actor LogIn: Coordinator {
  static let flow = FlowDescription(
    "log-in", title: "Log in", summary: "The shop's door.", router: .window, isRehearsable: true, isPart: true)

  enum Route: Codable, CaseIterable {
    case welcome
  }

  let context = Context()

  func start() { router.present(.welcome) }

  func screen(for route: Route) -> Screen {
    .message(
      "welcome", title: "Welcome", body: "Log in to look around.", actions: [.primary("log-in", "Log in")])
  }

  func receive(_ event: Event, on route: Route) { finish() }
}
