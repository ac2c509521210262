import CoordinatorKit

/// The tab with the courts: a list, a court, and on top of it the booking of that court.
actor Courts: Coordinator {
  static let flow = FlowDescription(
    "courts", title: "Courts",
    input: Form(Field("court", .choice(title: "The court to open", of: Court.allCases)).optional), isInternal: true)

  enum Route: Codable, Hashable { case all, court(Court) }

  struct State: FlowState { var booked: Booking? }
  struct Input: Codable { var court: Court? }
  enum Output: Codable { case opened(Court?), booked(Booking) }

  let context = Context()

  func start() {
    router.present(.all)
    if let court = input.court { open(court) }
  }

  func screen(for route: Route) -> Screen {
    switch route {
    case .all:
      .list("courts", title: "Courts", items: Court.allCases.map { Item($0.rawValue, $0.title) })
    case .court(let court):
      .message(
        "court", title: court.title, actions: [.primary("book", "Book it"), Action("tabs", "Other tabs")],
        messages: state.booked?.court == court ? [.info("booked", "You have booked this court.")] : [])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch route {
    case .all:
      guard let court = Court(rawValue: try event.selection) else { throw event.notTaken }
      open(court)
    case .court(let court):
      guard event.name == "book" else { throw event.notTaken }
      try startChild(NewBooking.self, input: .init(court: court), router: .modal)
    }
  }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    switch try child.end(of: NewBooking.self, outcome) {
    case .finished(let booking):
      state.booked = booking
      emit(.booked(booking))
    case .cancelled, .failed, nil: break
    }
  }

  func wentBack(from route: Route) {
    if case .court = route { emit(.opened(nil)) }
  }

  private func open(_ court: Court) {
    router.present(.court(court))
    emit(.opened(court))
  }
}

/// A court of the club.
enum Court: String, Codable, CaseIterable, MenuChoice {
  case centre, north, south

  var title: Text {
    switch self {
    case .centre: "Centre court"
    case .north: "North court"
    case .south: "South court"
    }
  }
}
