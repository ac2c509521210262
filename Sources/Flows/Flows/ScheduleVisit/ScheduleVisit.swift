import CoordinatorKit

/// Finds out the purpose of a visit at the clinic.
///
/// Demonstrates: branching, and going back without a trace: when the user leaves a screen by Back, the answers that led
/// to it are forgotten.
actor ScheduleVisit: Coordinator {
  static let flow = FlowDescription(
    "schedule-visit", title: "Schedule a visit", summary: "Asks what a visit is for, and whether it is needed at all.",
    isRehearsable: true)

  enum Route: Codable {
    case visitType, painLevel, fakingIt, noAppointment
  }

  struct State: FlowState {
    var visit: VisitType?
    var pain: PainLevel?
  }

  struct Result: Codable {
    var visit: VisitType
    var pain: PainLevel?
    var faked: Bool?
  }

  let context = Context()

  func start() { router.present(.visitType) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .visitType:
      .menu("select-visit-type", title: "What is the visit for?", choices: VisitType.allCases)
    case .painLevel:
      .menu("select-pain-level", title: "How much does it hurt?", choices: PainLevel.allCases)
    case .fakingIt:
      .menu("faking-it", title: "Is your pet faking it?", choices: Honesty.allCases)
    case .noAppointment:
      .message(
        "no-appointment-required", title: "No appointment required", body: "Come by whenever it suits you.",
        actions: [.primary("okay", "Okay")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch route {
    case .visitType:
      state.visit = try event.choice()
      router.present(state.visit == .sick ? .painLevel : .noAppointment)
    case .painLevel:
      let pain: PainLevel = try event.choice()
      state.pain = pain
      router.present(pain.mayBeFaked ? .fakingIt : .noAppointment)
    case .fakingIt:
      switch try event.choice(as: Honesty.self) {
      case .fake: try finish(faked: true)
      case .real: router.present(.noAppointment)
      }
    case .noAppointment:
      try finish(faked: nil)
    }
  }

  func wentBack(from route: Route) {
    // The screen below asks again: its old answer, and what followed from it, must not reach the result.
    switch router.routes.last {
    case .visitType: state = State()
    case .painLevel: state.pain = nil
    case .fakingIt, .noAppointment, nil: break
    }
  }

  private func finish(faked: Bool?) throws {
    guard let visit = state.visit else { return cancel() }
    try finish(Result(visit: visit, pain: state.pain, faked: faked))
  }
}
