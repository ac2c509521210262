import CoordinatorKit

/// An animal clinic's app: a home screen in the window, and a visit scheduler that runs modally over it.
///
/// Demonstrates: a screen without Back, a child with its own router, and a parent that reacts to the child's outcome.
actor Pets: Coordinator {
  static let flow = FlowDescription(
    "pets", title: "Animal clinic", summary: "The clinic's home screen, from which visits are scheduled.",
    router: .window, isRehearsable: true)

  enum Route: Codable {
    case home
  }

  struct State: FlowState {
    var lastVisit: Visit?
  }

  enum Visit: Codable {
    case scheduled, cancelled
  }

  let context = Context()

  func start() { router.present(.home) }

  func screen(for route: Route) -> Screen {
    .message(
      "home", title: "Happy Tails Animal Clinic", body: "We look after your pet.",
      actions: [.primary("schedule-visit", "Schedule a visit")], messages: state.lastVisit.map { [$0.message] } ?? [])
  }

  func receive(_ event: Event, on route: Route) throws {
    guard event.name == "schedule-visit" else { throw event.notTaken }
    state.lastVisit = nil
    try startChild(ScheduleVisit.self, router: .modal)
  }

  func childEnded(_ child: Child, outcome: Outcome) {
    guard child.isInstance(of: ScheduleVisit.self) else { return }
    switch outcome {
    case .finished: state.lastVisit = .scheduled
    case .cancelled, .failed: state.lastVisit = .cancelled
    }
  }
}

extension Pets.Visit {
  fileprivate var message: ScreenMessage {
    switch self {
    case .scheduled: .info("visit-scheduled", "Your visit is scheduled.")
    case .cancelled: .info("visit-cancelled", "No visit was scheduled.")
    }
  }
}
