import CoordinatorKit

actor Coffee: Coordinator {
  static let flow = FlowDescription("coffee", title: "Coffee", summary: "Makes a cup of coffee.")

  enum Route: Codable, Hashable { case size, done }
  struct State: FlowState { var size = Size.small }
  struct Result: Codable { var size: Size }

  let context = Context()

  func start() { router.present(.size) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .size: .menu("size", title: "How large?", choices: Size.allCases)
    case .done: .message("done", title: "Here it is", body: state.size.title, actions: [.primary("okay", "Okay")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch route {
    case .size:
      state.size = try event.choice()
      router.present(.done)
    case .done:
      try finish(Result(size: state.size))
    }
  }
}

enum Size: String, Codable, CaseIterable, MenuChoice {
  case small, large

  var title: Text { self == .small ? "Small" : "Large" }
}
