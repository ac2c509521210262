import CoordinatorKit

/// A flow that counts and can start children with the same flow; enough to fill every table.
actor Counter: Coordinator {
  static let flow = FlowDescription("counter", title: "Counter")
  enum Route: Codable { case main, other }
  struct State: FlowState { var count = 0.0 }
  struct Work: Codable { var seconds: Int }
  typealias Result = [String: Double]

  let context = Context()

  /// The events that a user can send.
  static let events = ["count", "push", "child", "work", "say", "break", "finish"]

  func start() { router.present(.main) }

  func screen(for route: Route) -> Screen {
    .message("\(route)", title: Text(verbatim: "\(state.count)"), actions: Self.events.map { Action($0, verbatim: $0) })
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "count": state.count += 1
    case "push": router.present(.other)
    case "child": try startChild(Counter.self, input: NoInput(), router: .modal)
    case "work": try startWork(Work(seconds: 1_000))
    case "say": attach(.info("said", "said"))
    // JSON cannot represent this number.
    case "break": state.count = .infinity
    default: try finish(["count": state.count])
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    try await Task.sleep(for: .seconds(work.seconds))
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}
}
