import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("FlowExplorer: screens and actions", .timeLimit(.minutes(5)))
struct ScreensAndActionsTests {
  @Test("A flow without faults has no problems, and its walk lists screens, outcomes, and shortest paths")
  func soundFlowHasNoProblems() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("left", .to("cellar")), ("right", .to("attic"))]),
      "cellar": .init(actions: [("on", .to("attic"))]),
      "attic": .init(actions: [("jump", .finish)]),
    ]).walk()
    try walk.expect(screens: ["hall", "cellar", "attic"])
    #expect(walk.screens == ["hall", "cellar", "attic"])
    #expect(walk.paths["attic"] == ["hall", "right", "attic"])
    #expect(Set(walk.outcomes) == [.finished([:]), .cancelled])
    #expect(walk.isComplete)
    #expect(walk.states == 4)
  }

  @Test("An action that no coordinator handles is found with the shortest path to it")
  func unhandledActionIsFound() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("left", .to("cellar")), ("right", .to("attic"))]),
      "cellar": .init(actions: [("on", .to("attic"))]),
      "attic": .init(actions: [("fly", .ignore)]),
    ]).walk()
    #expect(
      walk.texts(screens: ["hall", "cellar", "attic"]) == ["hall ▸ right ▸ attic: no coordinator handles \"fly\""])
  }

  @Test("An item whose selection no coordinator handles is found")
  func unhandledSelectionIsFound() async throws {
    let walk = try await Maze.explorer(["hall": .init(items: ["lamp"])]).walk()
    #expect(walk.texts(screens: ["hall"]) == ["hall: no coordinator handles \"select\""])
  }

  @Test("Of many items, a walk chooses the first, the last, and one in between")
  func sampleOfManyItemsIsChosen() async throws {
    let hall = Maze.Room(items: (0..<100).map { "i\($0)" }, chosen: .take)
    #expect(try await Maze.explorer(["hall": hall]).walk().moves == 3 + 2)
    var explorer = try Maze.explorer(["hall": hall])
    explorer.itemsPerList = 1
    #expect(try await explorer.walk().moves == 1 + 2)
  }

  @Test("Of a list that takes several rows, a walk chooses each with as few others as it takes, and nothing that is disabled")
  func severalRowsAreChosen() async throws {
    let walk = try await FlowExplorer { Toppings() }.walk()
    try walk.expect(screens: ["toppings", "cheese, basil", "basil, cheese"])
  }

  @Test("An action that is always refused is found, and one that is refused only sometimes is not")
  func alwaysRefusedActionIsFound() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("knock", .refuse), ("enter", .to("attic"))]), "attic": .init(actions: [("knock", .take)]),
    ]).walk()
    #expect(
      walk.problems(screens: ["hall", "attic"]).map(\.kind) == [
        .isAlwaysRefused(screen: "hall", event: "knock", .refused(.denied("the door is shut")))
      ])
  }

  @Test("An event may be left to the parent, but must then be offered and must not be handled")
  func eventLeftToParentMustBeOffered() async throws {
    let walk = try await Maze.explorer(["hall": .init(actions: [("ask", .ignore), ("enter", .finish)])]).walk()
    try walk.expect(screens: ["hall"], leavingToParent: ["ask"])
    #expect(
      walk.texts(screens: ["hall"], leavingToParent: ["ask", "enter", "other"]) == [
        "hall: \"enter\" is handled instead of being left to the parent",
        "\"other\" never comes up; `leavingToParent` takes the names of events",
      ])
  }

  @Test("An unreachable screen and an unexpected screen are found")
  func unreachedAndUnexpectedScreensAreFound() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("enter", .to("attic"))]), "attic": .init(), "cellar": .init(),
    ]).walk()
    #expect(
      walk.texts(screens: ["hall", "cellar"]) == [
        "hall ▸ enter ▸ attic: the screen attic is not expected", "the screen cellar is unreachable",
      ])
  }

  @Test("Unreachable routes that can be enumerated are found without being named")
  func unreachedRoutesAreFound() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Checker { _ in false } }
    let walk = try await FlowExplorer("checker", in: catalogue).walk()
    #expect(walk.texts(screens: ["word"]) == ["the route right of checker is unreachable"])
  }

  @Test("A flow that does not start is found with its input")
  func flowThatDoesNotStartIsFound() async throws {
    var explorer = try Maze.explorer(["hall": .init()])
    explorer.inputs = [[:], ["door": "left"]]
    let problems = try await explorer.walk().problems(screens: ["hall"])
    #expect(problems.map(\.path) == [["{\"door\":\"left\"}"]])
    #expect(
      problems.map(\.kind) == [.doesNotStart(.refused(.invalidInput(["door": "is not a known field"])))])
  }

  @Test("All problems of a walk are reported together")
  func allProblemsAreReportedTogether() async throws {
    let walk = try await Maze.explorer(["hall": .init(actions: [("a", .ignore), ("b", .ignore)])]).walk()
    #expect {
      try walk.expect(screens: ["hall", "attic"])
    } throws: {
      String(describing: $0) == """
        maze has 3 problems:
        - hall: no coordinator handles "a"
        - hall: no coordinator handles "b"
        - the screen attic is unreachable
        """
    }
  }
}

/// A list of which at least two rows are chosen, and of which one row and one action are disabled.
private actor Toppings: Coordinator {
  static let flow = FlowDescription("toppings", title: "Toppings")
  enum Route: Codable, Hashable { case toppings, chosen(String) }
  let context = Context()

  func start() { router.present(.toppings) }

  func screen(for route: Route) -> Screen {
    if case .chosen(let names) = route { return .message(names, title: "Chosen", actions: [.primary("okay", "Okay")]) }
    var (sold, closed) = (Item("ham", verbatim: "Ham"), Action("order", "Order"))
    (sold.disabled, closed.disabled) = ("Sold out", "Closed")
    return .list(
      "toppings", title: "Toppings", items: [Item("cheese", verbatim: "Cheese"), Item("basil", verbatim: "Basil"), sold],
      actions: [closed]
    ).choosing(2...3)
  }

  func receive(_ event: Event, on route: Route) throws {
    guard case .toppings = route else { return finish() }
    router.present(.chosen(try event.selections.joined(separator: ", ")))
  }
}
