import CoordinatorKit

/// The application coordinator: first a log-in, then the tabs, and after logging out the log-in again. It has no screen itself.
actor Club: Coordinator {
  static let flow = FlowDescription(
    "club", title: "Tennis club", summary: "Log in, look at the courts, book one.",
    input: Form(Field("court", .choice(title: "Court", summary: "The court to open.", of: Court.allCases)).optional),
    router: .window)

  struct Input: Codable { var court: Court? }

  let context = Context()

  func start() throws { try startChild(ClubLogIn.self, router: .window) }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    guard children.isEmpty else { return }
    switch try child.end(of: ClubLogIn.self, outcome) {
    case .finished(let result):
      try startChild(ClubTabs.self, input: .init(member: result.member, court: input.court), router: .window)
    case .cancelled, .failed: cancel()
    case nil: try startChild(ClubLogIn.self, router: .window)
    }
  }
}

/// Asks who plays.
actor ClubLogIn: Coordinator {
  static let flow = FlowDescription("club-log-in", title: "Log in", router: .window, isInternal: true)

  enum Route: Codable, Hashable { case member }
  struct Result: FormValues {
    var member = ""

    static let form = TypedForm<Result>(.text(\.member, title: "Your name", length: 1...32))
  }

  let context = Context()

  func start() { router.present(.member) }

  func screen(for route: Route) -> Screen {
    .form("log-in", title: "Who plays?", form: Form(Result.self), actions: [.primary("log-in", "Log in")])
  }

  func receive(_ event: Event, on route: Route) throws { try finish(event.payload.decoded(as: Result.self)) }
}
