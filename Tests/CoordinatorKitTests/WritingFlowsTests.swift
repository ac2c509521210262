import CoordinatorKit
import CoordinatorTestKit
import Testing

// The flow and the test of Docs/writing-flows.md, to the letter.

actor Coffee: Coordinator {
  static let flow = FlowDescription("coffee", title: "Coffee", summary: "Makes a cup of coffee.")

  enum Route: Codable { case size, done }
  struct State: FlowState { var size = Size.small }
  struct Result: Codable { var size: Size }
  enum Size: String, Codable, CaseIterable, MenuChoice {
    case small, large
    var title: String { self == .small ? "Small" : "Large" }
  }

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
      guard let size = Size(rawValue: event.name) else { throw event.notTaken }
      state.size = size
      router.present(.done)
    case .done:
      try finish(Result(size: state.size))
    }
  }
}

@Test("a large coffee is a large coffee")
func large() async throws {
  let flow = try await TestFlow.start { Coffee() }
  try await flow.send("large")
  #expect(try await flow.names == ["size", "done"])
  try await flow.send("okay")
  #expect(try await flow.outcome == .finished(["size": "large"]))
}

@Test("every way through is walked")
func explored() async throws {
  try await FlowExplorer { Coffee() }.walk().expect(screens: ["size", "done"])
}
