/// What the packages of new flows in Swift have in common: the flow, its test, and what they depend on.
struct SwiftPackage: Sendable {
  let name: String
  let checkout: String?
  /// The module with the flow.
  let module: String

  /// The name of the coordinator's type: `MakeCoffee`.
  static func type(_ name: String) -> String {
    name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private var type: String { Self.type(name) }

  /// The line of the manifest with the dependency on this project.
  var dependency: String {
    checkout.map { ".package(name: \"coordinatord\", path: \"\($0)\")" }
      ?? ".package(url: \"https://github.com/coordinatord/coordinatord\", branch: \"main\")"
  }

  var flow: String {
    """
    import CoordinatorKit

    actor \(type): Coordinator {
      static let flow = FlowDescription("\(name)", title: "\(NewFlow.title(name))")

      enum Route: Codable, CaseIterable { case word, greeted }
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

    """
  }

  var test: String {
    """
    import CoordinatorTestKit
    import Testing

    @testable import \(module)

    @Test("whoever wants to be welcome is")
    func greeted() async throws {
      let flow = try await TestFlow.start { \(type)() }
      try await flow.send("welcome")
      #expect(try await flow.names == ["word", "greeted"])
      try await flow.send("okay")
      #expect(try await flow.outcome == .finished(["word": "welcome"]))
    }

    @Test("every way through is walked")
    func explored() async throws {
      try await FlowExplorer { \(type)() }.walk().expect(screens: ["word", "greeted"])
    }

    """
  }
}
