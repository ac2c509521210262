import CoordinatorKit

/// An offer that ends by itself, with work that searches and can be replaced.
actor Offer: Coordinator {
  static let flow = FlowDescription("offer", title: "Offer")

  enum Route: Codable, Hashable { case offer, ended }
  enum Timer: Codable, Hashable { case ends, reminder(Int), bad }
  enum Work: Codable { case search(String), other }
  struct State: FlowState { var log: [String] = [] }

  let context = Context()

  func start() throws {
    try startTimer(.ends, after: .seconds(30))
    router.present(.offer)
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .offer:
      .message(
        "offer", title: Text(verbatim: state.log.joined(separator: " ")), body: Text(verbatim: search),
        actions: ["more", "stop", "remind", "bad", "search", "again", "cancel"].map { Action($0, verbatim: $0) }
      ).countingDown(to: due(.ends))
    case .ended: .message("ended", title: Text(verbatim: state.log.joined(separator: " ")))
    }
  }

  private var search: String {
    if case .search(let text)? = runningWork(.search) { text } else { "" }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "more": try startTimer(.ends, after: .seconds(60))
    case "stop": cancelTimer(.ends)
    case "remind":
      try startTimer(.reminder(2), after: .seconds(20))
      try startTimer(.reminder(1), after: .seconds(10))
    case "bad": try startTimer(.bad, after: .seconds(1))
    case "search":
      try startWork(.search("a"), key: .search)
      try startWork(.other)
    case "again": try startWork(.search("b"), key: .search)
    case "cancel": cancelWork(.search)
    default: throw event.notTaken
    }
  }

  func timerFired(_ timer: Timer) throws {
    switch timer {
    case .ends: router.present(.ended)
    case .reminder(let number): state.log.append("reminder-\(number)@\(now.microseconds / 1_000_000)")
    case .bad: throw Failure(code: "bad", message: "bad timer")
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async -> String {
    if case .search(let text) = work { text } else { "other" }
  }

  func workEnded(_ work: Work, with result: WorkResult<String>) {
    if case .done(let text) = result { state.log.append(text) }
  }
}

extension WorkKey {
  fileprivate static let search: WorkKey = "search"
}
