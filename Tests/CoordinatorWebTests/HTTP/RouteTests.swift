import Testing

@testable import CoordinatorWeb

@Suite("The routes of the server", .timeLimit(.minutes(5)))
struct RouteTests {
  private let entrance = Entrance()

  private func route(_ path: String...) -> Route? { Route([entrance.prefix] + path, below: entrance) }

  @Test("Every address has its route, and there are no others")
  func everyAddressHasItsRoute() {
    #expect(route() == .home)
    #expect(route("flows") == .flows)
    #expect(route("new", "pets") == .input(flow: "pets"))
    #expect(route("flows", "pets_1") == .tree("pets_1"))
    #expect(route("flows", "pets_1", "events") == .events("pets_1"))
    #expect(route("flows", "pets_1", "screens", "3") == .screen(3, "pets_1"))
    #expect(route("flows", "pets_1", "screens", "3", "back") == .back(3, "pets_1"))
    #expect(route("flows", "pets_1", "screens", "3", "end") == .ending(3, "pets_1"))
    #expect(route("flows", "pets_1", "screens", "3", "confirm") == .asking(3, "pets_1"))
    #expect(route("flows", "pets_1", "again") == .again("pets_1"))
    for path in [
      ["x"], ["flows", "p", "x"], ["flows", "p", "screens"], ["flows", "p", "screens", "3", "x"], ["new"], ["a", "b", "c"],
    ] {
      #expect(Route([entrance.prefix] + path, below: entrance) == nil)
    }
    for number in ["03", "+3", "-1", "18446744073709551616", "3 ", "x"] { #expect(route("flows", "p", "screens", number) == nil) }
    #expect(Route(["flows"], below: entrance) == nil)
    #expect(Route([], below: entrance) == nil)
  }

  @Test("Routes that change something take POST, and routes that show something take GET")
  func changesArePostedAndPagesAreNot() {
    #expect(Route.back(1, "p").takes(.post) && !Route.back(1, "p").takes(.get))
    #expect(Route.tree("p").takes(.get) && !Route.tree("p").takes(.post))
    #expect(Route.screen(1, "p").takes(.get) && Route.screen(1, "p").takes(.post))
    #expect(Route.ending(1, "p").takes(.get) && Route.ending(1, "p").takes(.post))
    #expect(Route.asking(1, "p").takes(.get) && !Route.asking(1, "p").takes(.post))
    #expect(Route.again("p").takes(.post) && !Route.again("p").takes(.get))
  }
}
