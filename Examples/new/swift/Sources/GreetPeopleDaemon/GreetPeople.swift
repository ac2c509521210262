import CoordinatorKit

actor GreetPeople: Coordinator {
  static let flow = FlowDescription("greet-people", title: "Greet people")

  enum Route: Codable, Hashable { case word, greeted }
  struct State: FlowState { var word = Word.hello }
  struct Result: Codable { var word: Word }

  let context = Context()

  func start() { router.present(.word) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .word: .menu("word", title: "How do you want to be greeted?", choices: Word.allCases)
    case .greeted: .message("greeted", title: "Greeted", body: state.word.title, actions: [.primary("okay", "Okay")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch route {
    case .word:
      state.word = try event.choice()
      router.present(.greeted)
    case .greeted: try finish(Result(word: state.word))
    }
  }
}

enum Word: String, Codable, CaseIterable, MenuChoice {
  case hello, welcome

  var title: Text { self == .hello ? "Hello" : "Welcome" }
}
