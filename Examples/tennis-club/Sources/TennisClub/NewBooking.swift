import CoordinatorKit

/// Books a court. Its routes carry the answers, so Back discards an answer together with the screen that it led to.
actor NewBooking: Coordinator {
  static let flow = FlowDescription(
    "new-booking", title: "Book a court", input: Form(Field("court", .choice(title: "Court", of: Court.allCases))),
    router: .modal, isInternal: true)

  enum Route: Codable, Hashable { case hour, confirm(Hour) }

  struct Input: Codable { var court: Court }
  typealias Result = Booking

  let context = Context()

  func start() { router.present(.hour) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .hour:
      .menu("hour", title: "When?", choices: Hour.allCases)
    case .confirm(let hour):
      .message(
        "confirm", title: input.court.title, body: hour.title,
        actions: [.primary("book", "Book it"), .cancel("cancel", "Do not book it")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.hour, _): router.present(.confirm(try event.choice()))
    case (.confirm(let hour), "book"): try finish(Booking(court: input.court, hour: hour))
    default: cancel()
    }
  }
}

/// A booked court.
struct Booking: Codable, Hashable {
  var court: Court
  var hour: Hour

  var title: Text { Text("{court}, {hour}", ["court": court.title, "hour": hour.title]) }
}

/// An hour at which a court can be booked.
enum Hour: String, Codable, CaseIterable, MenuChoice {
  case morning, evening

  var title: Text {
    switch self {
    case .morning: "in the morning"
    case .evening: "in the evening"
    }
  }
}
