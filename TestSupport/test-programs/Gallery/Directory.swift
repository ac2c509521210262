import CoordinatorKit

/// A flow with a list of 9 000 rows.
actor Directory: Coordinator {
  static let flow = FlowDescription("directory", title: "Directory", summary: "A list of 9 000 rows.")

  enum Route: RouteValue {
    case people
    case chosen(String)
  }

  struct State: FlowState {}

  let context = Context()

  func start() { router.present(.people) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .people: .list("people", title: "Who is it?", items: Self.people)
    case .chosen(let person):
      .message("chosen", title: Text(verbatim: "Chosen: \(person)"), actions: [.primary("okay", "Okay")])
    }
  }

  private static let people: [Item] = {
    let first = ["Ada", "Blaise", "Charles", "Dorothy", "Edsger", "Frances", "Grace", "Hedy", "Ida", "Jean"]
    let last = ["Ålund", "Brown", "Çelik", "Dvořák", "Eriksen", "Fujita", "García", "Hopper", "Ivanova", "Jones"]
    return (1...9_000).map { number in
      let name = "\(first[number % 10]) \(last[number / 10 % 10])"
      return Item("person-\(number)", Text(verbatim: "\(name) \(number)"), subtitle: Text(verbatim: "Room \(number / 30)"))
    }
  }()

  func receive(_ event: Event, on route: Route) throws {
    switch route {
    case .people: router.present(.chosen(try event.selection))
    case .chosen: finish()
    }
  }
}
