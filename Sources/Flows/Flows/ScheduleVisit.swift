import CoordinatorKit

/// Determines the purpose of a visit at the clinic.
///
/// Demonstrates: branching, and going back without a trace: the routes carry the answers, so leaving a screen by Back also
/// removes the answer that led to it.
actor ScheduleVisit: Coordinator {
  static let flow = FlowDescription(
    "schedule-visit", title: "Schedule a visit", summary: "Asks what a visit is for, and whether it is needed at all.",
    version: 2, isRehearsable: true)

  enum Route: Codable, Hashable {
    case visitType, painLevel, fakingIt(PainLevel), noAppointment(VisitType, PainLevel?)
  }

  struct Result: FormValues {
    var visit: VisitType
    var pain: PainLevel?
    var faked: Bool?

    static let form = TypedForm<Result>(
      .choice(\.visit, title: "What the visit is for"), .choice(\.pain, title: "How much it hurts"),
      .boolean(\.faked, title: "Whether the pet is faking it"))
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
      let visit: VisitType = try event.choice()
      router.present(visit == .sick ? .painLevel : .noAppointment(visit, nil))
    case .painLevel:
      let pain: PainLevel = try event.choice()
      router.present(pain.mayBeFaked ? .fakingIt(pain) : .noAppointment(.sick, pain))
    case .fakingIt(let pain):
      switch try event.choice(as: Honesty.self) {
      case .fake: try finish(Result(visit: .sick, pain: pain, faked: true))
      case .real: router.present(.noAppointment(.sick, pain))
      }
    case .noAppointment(let visit, let pain):
      try finish(Result(visit: visit, pain: pain))
    }
  }

  /// Version 1 kept the answers in its state, and cleared them when the user went back.
  static func migrate(_ stored: inout StoredFlow, from version: Int) {
    let (visit, pain) = (stored.state["visit"], stored.state["pain"])
    stored.routes = stored.routes.map { route in
      if route["fakingIt"] != nil { return ["fakingIt": ["_0": pain ?? .null]] }
      guard route["noAppointment"] != nil else { return route }
      let answers: [String: JSONValue?] = ["_0": visit, "_1": pain]
      return ["noAppointment": .object(answers.compactMapValues(\.self))]
    }
    stored.state = [:]
  }
}

/// The purpose of a visit.
enum VisitType: String, Codable, CaseIterable, MenuChoice {
  case well, sick

  var title: Text {
    switch self {
    case .well: "A check-up"
    case .sick: "My pet is sick"
    }
  }
}

/// The intensity of the pain.
enum PainLevel: String, Codable, CaseIterable, MenuChoice {
  case none, little, moderate, severe
  case worstPossible = "worst-possible"

  var title: Text {
    switch self {
    case .none: "Not at all"
    case .little: "A little"
    case .moderate: "Moderately"
    case .severe: "Severely"
    case .worstPossible: "As much as can be"
    }
  }

  /// Whether to ask if the pet is only faking it.
  var mayBeFaked: Bool { self == .none || self == .little }
}

/// Whether the pet is only faking it.
enum Honesty: String, CaseIterable, MenuChoice {
  case fake = "is-fake"
  case real = "not-fake"

  var title: Text {
    switch self {
    case .fake: "Yes, it is faking"
    case .real: "No, it is real"
    }
  }
}
