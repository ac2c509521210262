import CoordinatorKit

/// A flow with lists that are too long for one page: one of which a single row is chosen, one of which several are chosen, and
/// one with groups.
actor Library: Coordinator {
  static let flow = FlowDescription("library", title: "Library", summary: "Lists of 9000 rows.")

  enum Route: RouteValue {
    case desk
    case books
    case loans
    case shelves
    case done(String)
  }

  struct State: FlowState {
    /// The number of books that have arrived; each arrival becomes the first of its list.
    var arrivals = 0
  }

  /// The initial number of books.
  private static let count = 9000
  private static let subjects = [
    "Birds", "Bridges", "Cheese", "Clocks", "Ferns", "Maps", "Rivers", "Tides", "Violins", "Zoology",
  ]

  let context = Context()

  func start() { router.present(.desk) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .desk:
      .menu(
        "desk", title: "What do you want to do?",
        choices: [
          Action("books", "Read a book"), Action("loans", "Borrow books"), Action("shelves", "Go to a shelf"),
          .cancel("leave", "Leave"),
        ])
    case .books:
      .list("books", title: "Which book?", items: books, actions: [Action("arrive", "A book comes in")])
    case .loans:
      Screen.list("loans", title: "Which books?", items: books, actions: [Action("arrive", "A book comes in")])
        .choosing(2...3, initial: ["book-150"])
    case .shelves:
      Screen.list(
        "shelves", title: "Which shelf?",
        items: Self.subjects.flatMap { subject in
          (1...30).map { Item("\(subject)-\($0)", Text(verbatim: "Shelf \($0)"), group: Text(verbatim: subject)) }
        }
      ).choosing(initial: ["Rivers-12"])
    case .done(let text): .message("done", title: "Enjoy", body: Text(verbatim: text), actions: [.primary("okay", "Okay")])
    }
  }

  private var books: [Item] {
    let arrived = (0..<state.arrivals).map { Item("new-\($0)", Text(verbatim: "Newly arrived \($0)")) }
    return arrived
      + (0..<Self.count).map { number in
        let subject = Self.subjects[number % Self.subjects.count]
        return Item(
          "book-\(number)", Text(verbatim: "\(subject), volume \(number)"), subtitle: Text(verbatim: "Édition n° \(number * 7)"))
      }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.desk, "books"): router.present(.books)
    case (.desk, "loans"): router.present(.loans)
    case (.desk, "shelves"): router.present(.shelves)
    case (_, "arrive"): state.arrivals += 1
    case (.loans, Event.select): router.present(.done(try event.selections.joined(separator: ", ")))
    case (_, Event.select): router.present(.done(try event.selection))
    default: router.dismiss()
    }
  }
}
