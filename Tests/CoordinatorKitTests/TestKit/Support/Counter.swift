import CoordinatorKit

/// A flow that counts without end, and shows a reward once it reaches a goal.
actor Counter: Coordinator {
  static let flow = FlowDescription("counter", title: "Counter")

  enum Route: Codable, Hashable {
    case count, reward
    /// A page that always has a next one.
    case page(Int)
  }

  struct State: FlowState {
    var count = 0
  }

  let context = Context()
  private let goal: Int

  /// Creates a counter that shows `reward` when it reaches its goal.
  init(goal: Int) { self.goal = goal }

  func start() { router.present(.count) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .count:
      .message("count", title: Text(verbatim: "\(state.count)"), actions: [Action("more", "More"), Action("read", "Read")])
    case .page(let number): .message("page", title: Text(verbatim: "Page \(number)"), actions: [Action("turn", "Turn")])
    case .reward: .message("reward", title: "Well counted", actions: [.primary("okay", "Okay")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.count, "more"):
      state.count += 1
      if state.count == goal { router.present(.reward) }
    case (.count, "read"): router.present(.page(1))
    case (.page(let number), "turn"): router.replace(with: .page(number + 1))
    case (.reward, "okay"): finish()
    default: throw event.notTaken
    }
  }
}
