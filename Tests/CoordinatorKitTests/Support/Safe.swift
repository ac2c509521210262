import CoordinatorKit

/// Asks for a password, warns if it is weak, and opens something with it, alone or in a child.
actor Safe: Coordinator {
  static let flow = FlowDescription("safe", title: "Safe")

  enum Route: Codable, Hashable { case password, weak, lost([String]), opened(String) }
  enum Work: Codable { case open }
  struct Result: Codable { var length: Int }
  enum Output: Codable { case typed }

  let context = Context()

  func start() { router.present(.password) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .password:
      .form(
        "password", title: "Password", form: Form(Field("password", .secret(title: "Password"))),
        actions: [.primary("next", "Next")])
    case .weak:
      .message(
        "weak", title: "Weak", actions: [.primary("use", "Use it"), Action("forget", "Forget"), Action("hand", "Hand over")])
    case .lost(let names):
      .message("lost", title: Text(verbatim: names.joined(separator: " ")), actions: [.primary("again", "Again")])
    case .opened(let text):
      .message("opened", title: Text(verbatim: text), actions: [.primary("use", "Use it"), Action("end", "End")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.password, _):
      if let password = event.payload.secret("password") { keep(password, as: "password") }
      router.present(.weak)
    case (.weak, "forget"):
      forgetSecret("password")
      router.replace(with: .opened(keptSecret("password") == nil ? "nothing" : "something"))
    case (.weak, "hand"):
      guard let password = keptSecret("password") else { throw Refusal.denied("no password") }
      emit(.typed, secrets: ["password": password])
    case (.opened, "end"):
      guard let password = keptSecret("password") else { throw Refusal.denied("no password") }
      try finish(Result(length: password.withBytes { $0.count }), secrets: ["password": password])
    case (_, "use"):
      guard let password = keptSecret("password") else { throw Refusal.denied("no password") }
      try startWork(.open, secrets: ["password": password])
    default: router.present(.password)
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> String {
    try context.secret("password").withString(\.self)
  }

  func workEnded(_ work: Work, with result: WorkResult<String>) throws {
    guard case .done(let text) = result else { return }
    router.present(.opened(text))
  }

  func secretsLost(_ names: Set<String>) { router.present(.lost(names.sorted())) }
}

/// Receives what its safe hands over.
actor SafeOwner: Coordinator {
  static let flow = FlowDescription("safe-owner", title: "Owner of a safe")

  enum Route: Codable, Hashable { case home, has(String) }

  let context = Context()

  func start() throws {
    router.present(.home)
    try startChild(Safe.self)
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .home: .message("home", title: "Home")
    case .has(let text): .message("has", title: Text(verbatim: text))
    }
  }

  func childEmitted(_ output: ChildOutput) { show() }

  func childEnded(_ child: Child, outcome: Outcome) { show() }

  private func show() { router.present(.has(passedSecret("password")?.withString(\.self) ?? "nothing")) }
}
