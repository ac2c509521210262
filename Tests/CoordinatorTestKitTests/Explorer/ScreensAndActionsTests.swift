import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("FlowExplorer: screens and actions")
struct ScreensAndActionsTests {
  @Test("a flow without faults has no problem; its screens and outcomes are told, with the shortest ways")
  func sound() async throws {
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

  @Test("an action that nobody takes is found, with the shortest way to it")
  func nobodyTakes() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("left", .to("cellar")), ("right", .to("attic"))]),
      "cellar": .init(actions: [("on", .to("attic"))]),
      "attic": .init(actions: [("fly", .ignore)]),
    ]).walk()
    #expect(
      walk.texts(screens: ["hall", "cellar", "attic"]) == ["hall ▸ right ▸ attic: nobody takes \"fly\""])
  }

  @Test("an item that nobody takes is found")
  func nobodyTakesSelection() async throws {
    let walk = try await Maze.explorer(["hall": .init(items: ["lamp"])]).walk()
    #expect(walk.texts(screens: ["hall"]) == ["hall: nobody takes \"select\""])
  }

  @Test("of many items, the first, the last and some between are chosen")
  func chosenItems() async throws {
    let hall = Maze.Room(items: (0..<100).map { "i\($0)" }, chosen: .take)
    #expect(try await Maze.explorer(["hall": hall]).walk().moves == 3 + 2)
    var explorer = try Maze.explorer(["hall": hall])
    explorer.itemsPerList = 1
    #expect(try await explorer.walk().moves == 1 + 2)
  }

  @Test("an action that is refused each time is found, one that is refused at times is not")
  func refused() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("knock", .refuse), ("enter", .to("attic"))]), "attic": .init(actions: [("knock", .take)]),
    ]).walk()
    #expect(
      walk.problems(screens: ["hall", "attic"]).map(\.kind) == [
        .isAlwaysRefused(screen: "hall", event: "knock", .refused(.denied("the door is shut")))
      ])
  }

  @Test("an event may be left to the parent; but then it must be offered, and nobody may take it")
  func leftToParent() async throws {
    let walk = try await Maze.explorer(["hall": .init(actions: [("ask", .ignore), ("enter", .finish)])]).walk()
    try walk.expect(screens: ["hall"], leavingToParent: ["ask"])
    #expect(
      walk.texts(screens: ["hall"], leavingToParent: ["ask", "enter", "other"]) == [
        "hall: \"enter\" is not left to the parent, but taken", "\"other\" never comes up",
      ])
  }

  @Test("a screen that is not reached, and one that is not expected, are found")
  func screens() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("enter", .to("attic"))]), "attic": .init(), "cellar": .init(),
    ]).walk()
    #expect(
      walk.texts(screens: ["hall", "cellar"]) == [
        "hall ▸ enter ▸ attic: the screen attic is not expected", "the screen cellar is unreachable",
      ])
  }

  @Test("routes that can be listed, and are not reached, are found without being named")
  func routes() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Checker { _ in false } }
    let walk = try await FlowExplorer("checker", in: catalogue).walk()
    #expect(walk.texts(screens: ["word"]) == ["the route right of checker is unreachable"])
  }

  @Test("a flow that does not start is found, with its input")
  func doesNotStart() async throws {
    var explorer = try Maze.explorer(["hall": .init()])
    explorer.inputs = [[:], ["door": "left"]]
    let problems = try await explorer.walk().problems(screens: ["hall"])
    #expect(problems.map(\.path) == [["{\"door\":\"left\"}"]])
    #expect(
      problems.map(\.kind) == [.doesNotStart(.refused(.invalidInput(["door": "is not a known field"])))])
  }

  @Test("all problems are told at once")
  func together() async throws {
    let walk = try await Maze.explorer(["hall": .init(actions: [("a", .ignore), ("b", .ignore)])]).walk()
    #expect {
      try walk.expect(screens: ["hall", "attic"])
    } throws: {
      String(describing: $0) == """
        maze has 3 problems:
        - hall: nobody takes "a"
        - hall: nobody takes "b"
        - the screen attic is unreachable
        """
    }
  }
}
