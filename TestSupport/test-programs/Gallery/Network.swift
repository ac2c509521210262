import CoordinatorKit

/// A flow with a list that changes while it is shown, and a form that stays busy until the work is cancelled.
actor Network: Coordinator {
  static let flow = FlowDescription("network", title: "Network", summary: "A list that is updated, and a form that is busy.")

  enum Route: RouteValue {
    case networks
    case key(network: String)
  }

  struct State: FlowState {
    /// The number of scans by the user. Each scan replaces the networks in the list.
    var scans = 0
    /// The number of changes of the row "Office".
    var moves = 0
  }

  struct Work: Codable {}

  let context = Context()

  func start() { router.present(.networks) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .networks:
      let others = (0..<20).map {
        Item("net-\(state.scans)-\($0)", Text(verbatim: "Network \(state.scans).\($0)"), subtitle: "Seen just now")
      }
      return .list(
        "networks", title: Text(verbatim: "\(state.scans) scans"),
        items: others + [Item("office", "Office", subtitle: Text(verbatim: "Room \(state.moves)"))],
        actions: [Action("skip", "Skip"), Action("scan", "Scan"), Action("move", "Move")])
    case .key(let network):
      let form = Screen.form(
        "key", title: Text(verbatim: "Join \(network)"),
        form: Form(
          Field("user", .string(title: "User", length: 1...64)), Field("key", .secret(title: "Key", length: 1...64)),
          Field("city", .choice(title: "City", (1...12).map { ("city-\($0)", Text(verbatim: "City \($0)")) })),
          Field("keep", .boolean(title: "Keep it")).optional),
        actions: [.primary("join", "Join"), Action("stop", "Stop")])
      return runningWork.isEmpty ? form : form.busy("Joining")
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.networks, "scan"): state.scans += 1
    case (.networks, "move"): state.moves += 1
    case (.networks, "skip"): router.present(.key(network: "nothing"))
    case (.networks, Event.select): router.present(.key(network: event.payload.string("id") ?? ""))
    case (.key, "join"): try startWork(Work(), secrets: event.payload.secrets)
    case (.key, "stop"): cancelWork()
    default: throw event.notTaken
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    while true { try await Task.sleep(for: .seconds(60)) }
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}

  func workInterrupted(_ work: Work) {}
}
