import CoordinatorKit
import CoordinatorTestKit
import Testing

/// Suggests what was chosen before.
private actor Cafe: Coordinator {
  static let flow = FlowDescription("cafe", title: "Cafe")

  enum Size: String, Codable, CaseIterable, MenuChoice {
    case small, large

    var title: Text { self == .small ? "Small" : "Large" }
  }

  enum Route: RouteValue { case size, toppings, done }

  struct State: FlowState {
    var size: Size?
    var toppings: [String]?
  }

  let context = Context()

  func start() { router.present(.size) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .size: return .menu("size", title: "How large?", choices: Size.allCases, suggested: state.size)
    case .toppings:
      let list = Screen.list("toppings", title: "With what?", items: [Item("milk", "Milk"), Item("sugar", "Sugar")])
        .choosing(0...2, initial: ["milk"])
      return state.toppings.map { list.suggesting(rows: $0) } ?? list
    case .done: return .message("done", title: "Here it is", actions: [.primary("okay", "Okay")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch route {
    case .size:
      state.size = try event.choice()
      router.present(.toppings)
    case .toppings:
      state.toppings = try event.selections
      router.present(.done)
    case .done: finish()
    }
  }
}

@Suite("Suggestions of screens", .timeLimit(.minutes(1)))
struct SuggestionTests {
  @Test("A screen suggests what was chosen on it, a value of its menu or several rows, and says so when it changes")
  func chosenIsSuggested() async throws {
    let flow = try await TestFlow.start { Cafe() }
    #expect(try await flow.top.content.suggested == nil)
    try await flow.send("large")
    try await flow.send(Event.select, ["ids": []])
    try await flow.back()
    #expect(try await flow.top.content.suggested == [])
    try await flow.back()
    #expect(try await flow.top.content.suggested == ["large"])
    let updates = await flow.renderer.log.compactMap { event -> Set<ScreenKey>? in
      if case .updated(_, let keys) = event, keys.contains(.suggested) { keys } else { nil }
    }
    #expect(updates == [[.suggested], [.suggested]])
  }

  @Test("A default is described, and one that is a destructive action is refused")
  func destructiveDefaultIsRefused() throws {
    let screen = Screen.menu("erase", title: "Erase it?", choices: [.destructive("erase", "Erase"), Action("keep", "Keep")])
    try screen.defaulting(to: "keep").validate()
    try screen.defaulting(to: "gone").validate()
    #expect(try Screen(described: screen.defaulting(to: "keep").description()) == screen.defaulting(to: "keep"))
    let error = #expect(throws: MalformedScreen.self) { try screen.defaulting(to: "erase").validate() }
    #expect(error?.description.contains("'erase' is a destructive action") == true)
  }

  @Test("A suggestion is never given by itself, and changes nothing of what is accepted")
  func suggestionIsNotGiven() async throws {
    let flow = try await TestFlow.start { Cafe() }
    try await flow.send("large")
    try await flow.back()
    try await flow.send("small")
    #expect(try await flow.names == ["size", "toppings"])
    await #expect(throws: CallError.self) { try await flow.send(Event.select, [:]) }
  }

  @Test("Menus, messages and lists are given suggestions, and lose them again")
  func suggestionsAreGiven() {
    let menu = Screen.menu("m", title: "M", choices: [Action("a", "A")], suggested: "a")
    #expect(menu.suggested == ["a"])
    #expect(menu.suggesting(nil).suggested == nil)
    #expect(menu.suggesting(nil) == Screen.menu("m", title: "M", choices: [Action("a", "A")]))
    #expect(Screen.list("l", title: "L", items: []).suggesting(rows: ["a", "b"]).suggested == ["a", "b"])
    #expect(Screen.message("n", title: "N").suggesting("a").suggested == ["a"])
  }
}
