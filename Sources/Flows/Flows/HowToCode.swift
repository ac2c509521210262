import CoordinatorKit

/// Four steps in sequence, and a screen to finish or to start over.
///
/// Demonstrates: one coordinator, one router, pushing screens, and dismissing back to the first one.
actor HowToCode: Coordinator {
  static let flow = FlowDescription(
    "how-to-code", title: "How to code", summary: "Four steps from waking up to shipping, one after the other.",
    isRehearsable: true)

  enum Route: Codable, Hashable {
    case step(Step)
    case startOver
  }

  struct Result: FormValues {
    var steps: Int

    static let form = TypedForm<Result>(.integer(\.steps, title: "Number of steps", range: 0...))
  }

  let context = Context()

  func start() { router.present(.step(.wakeUp)) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .step(let step):
      .message(
        "step-\(step.rawValue)", title: step.title,
        body: Text("Step {number} of {count}.", ["number": step.rawValue, "count": Step.allCases.count]),
        actions: [.primary("next", "Next")], accent: step.accent)
    case .startOver:
      .message(
        "start-over", title: "You know how to code", body: "That was all there is to it.",
        actions: [.primary("finish", "Finish"), Action("start-over", "Start over")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.step(let step), "next"):
      router.present(step.next.map(Route.step) ?? .startOver)
    case (.startOver, "start-over"):
      try router.dismiss(to: .step(.wakeUp))
    case (.startOver, "finish"):
      try finish(Result(steps: Step.allCases.count))
    default:
      throw event.notTaken
    }
  }
}

extension HowToCode {
  /// One of the four steps.
  enum Step: Int, Codable, CaseIterable {
    case wakeUp = 1
    case goOut, write, ship

    var title: Text {
      switch self {
      case .wakeUp: "I wake up"
      case .goOut: "I go out"
      case .write: "500 lines"
      case .ship: "Ship it!"
      }
    }

    var accent: String {
      switch self {
      case .wakeUp: "#F5001C"
      case .goOut: "#ED8212"
      case .write: "#3BB821"
      case .ship: "#2E4ACC"
      }
    }

    var next: Step? { Step(rawValue: rawValue + 1) }
  }
}
