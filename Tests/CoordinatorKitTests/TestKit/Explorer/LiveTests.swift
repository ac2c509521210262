import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("FlowExplorer: live values and secrets", .timeLimit(.minutes(5)))
struct LiveTests {
  @Test("A walk finds what an endless search shows, and continues while the search sleeps or waits for a viewer")
  func liveListIsWalked() async throws {
    let walk = try await FlowExplorer { Search() }.walk()
    try walk.expect(screens: ["search", "found", "asked"])
    #expect(walk.paths["found"] == ["search", "select a", "found"])
    #expect(walk.outcomes.contains(.finished([:])))
  }

  @Test("Endless work that sleeps and shows nothing is still reported")
  func sleepingWorkIsReported() async throws {
    var explorer = try FlowExplorer { Sleeper() }
    explorer.patience = .milliseconds(50)
    #expect(try await explorer.walk().problems(screens: ["sleeper"]).map(\.kind) == [.workDoesNotEnd(flow: "sleeper")])
  }

  @Test("A walk that continues from a state has the secrets that were kept there")
  func keptSecretsAreThere() async throws {
    let walk = try await FlowExplorer { Keeper() }.walk()
    try walk.expect(screens: ["password", "kept", "right"])
  }

  @Test("Each answer under review is changed")
  func answersAreChanged() async throws {
    let walk = try await FlowExplorer { Reviewed() }.walk()
    try walk.expect(screens: ["size", "name", "summary", "note"])
    #expect(walk.paths["note"]?.suffix(3) == ["summary", "change Size", "note"])
  }
}

/// Shows the results of an endless search.
private actor Search: Coordinator {
  static let flow = FlowDescription("search", title: "Search")
  enum Route: Codable, CaseIterable { case search, found, asked }
  enum Work: Codable { case search, ask }
  typealias Live = [String]
  let context = Context()

  func start() throws {
    router.present(.search)
    try startWork(.search)
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .search: .list("search", title: "Search", items: (live ?? []).map { Item($0, verbatim: $0) })
    case .found: .message("found", title: "Found", actions: [Action("ask", "Ask")])
    case .asked: .message("asked", title: "Asked", actions: [Action("end", "End")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch route {
    case .search: router.present(.found)
    case .found: try startWork(.ask, key: "ask")
    case .asked: finish()
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    guard work == .search else { return try await context.sleep(for: .seconds(5)) }
    for round in 0... {
      try await context.untilWatched()
      report(round == 0 ? ["a"] : ["a", "b"], in: context)
      try await context.sleep(for: .seconds(2))
    }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {
    if work == .ask { router.present(.asked) }
  }
}

/// Has work that neither ends nor shows anything.
private actor Sleeper: Coordinator {
  static let flow = FlowDescription("sleeper", title: "Sleeper")
  enum Route: Codable, CaseIterable { case only }
  enum Work: Codable { case sleep }
  let context = Context()

  func start() throws {
    router.present(.only)
    try startWork(.sleep)
  }

  func screen(for route: Route) -> Screen { .message("sleeper", title: "Sleeper") }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    while true { try await context.sleep(for: .seconds(2)) }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}
}

/// Keeps a password, and compares it later.
private actor Keeper: Coordinator {
  static let flow = FlowDescription("keeper", title: "Keeper")
  enum Route: Codable, CaseIterable { case password, kept, right }
  let context = Context()

  func start() { router.present(.password) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .password:
      .form(
        "password", title: "Password", form: Form(Field("password", .secret(title: "Password", length: 4...4))),
        actions: [.primary("next", "Next")])
    case .kept: .message("kept", title: "Kept", actions: [Action("use", "Use"), Action("compare", "Compare")])
    case .right: .message("right", title: "Right", actions: [Action("end", "End")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch route {
    case .password:
      if let password = event.payload.secret("password") { keep(password, as: "password") }
      router.present(.kept)
    case .kept:
      guard let password = keptSecret("password"), password.matches(Secret("aaaa")) else {
        throw Failure(code: "lost", message: "the password is gone")
      }
      router.present(.right)
    case .right: finish()
    }
  }
}

/// Asks for two things, and lets the user change them.
private actor Reviewed: Coordinator {
  static let flow = FlowDescription("reviewed", title: "Reviewed")
  enum Route: Codable, CaseIterable { case size, name, summary }
  struct State: FlowState { var isSummed = false }
  let context = Context()

  func start() { router.present(.size) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .size:
      // After a change of the size, and only then, a note is shown.
      state.isSummed
        ? .message("note", title: "Note", actions: [Action("large", "Large")])
        : .menu("size", title: "Size", choices: [Action("large", "Large")])
    case .name:
      .form(
        "name", title: "Name", form: Form(Field("name", .string(title: "Name", length: 1...1))),
        actions: [.primary("next", "Next")])
    case .summary:
      .message("summary", title: "Summary", actions: [Action("end", "End")])
        .reviewing([ReviewRow("Size", "large", on: router.screen(of: .size))] + review())
    }
  }

  func receive(_ event: Event, on route: Route) {
    switch route {
    case .size: router.present(.name)
    case .name:
      state.isSummed = true
      router.present(.summary)
    case .summary: finish()
    }
  }
}
