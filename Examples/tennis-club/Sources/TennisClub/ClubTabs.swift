import CoordinatorKit

/// The tabs: a menu, which starts a child for a tab. It remembers what a tab must not forget.
actor ClubTabs: Coordinator {
  static let flow = FlowDescription(
    "club-tabs", title: "Tennis club",
    input: Form(
      Field("member", .string(title: "The member's name")),
      Field("court", .choice(title: "The court to open", of: Court.allCases)).optional),
    router: .window, isInternal: true)

  enum Route: Codable, Hashable { case tabs, booking }

  struct State: FlowState {
    var tab: Tab?
    var court: Court?
    var booking: Booking?
  }

  struct Input: Codable {
    var member: String
    var court: Court?
  }

  let context = Context()

  func start() throws {
    router.present(.tabs)
    if let court = input.court { try startChild(Courts.self, input: .init(court: court)) }
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .tabs:
      .menu("tabs", title: Text("Hello, {name}", ["name": input.member]), choices: Tab.allCases, suggested: state.tab)
    case .booking:
      .message("booking", title: "Your booking", body: state.booking?.title ?? "None.", actions: [.primary("okay", "Okay")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    guard route == .tabs else { return router.dismiss() }
    let tab: Tab = try event.choice()
    state.tab = tab
    switch tab {
    case .courts: try startChild(Courts.self, input: .init(court: state.court))
    case .booking: router.present(.booking, as: .navigation)
    case .logOut: finish()
    }
  }

  func receive(_ event: Event, from child: Child) throws {
    guard event.name == "tabs" else { throw event.notTaken }
    try router.dismiss(to: .tabs)
  }

  func childEmitted(_ output: ChildOutput) {
    switch output.value(from: Courts.self) {
    case .opened(let court): state.court = court
    case .booked(let booking): state.booking = booking
    case nil: break
    }
  }
}

/// A tab.
enum Tab: String, Codable, CaseIterable, MenuChoice {
  case courts, booking
  case logOut = "log-out"

  var title: Text {
    switch self {
    case .courts: "Courts"
    case .booking: "Your booking"
    case .logOut: "Log out"
    }
  }
}
