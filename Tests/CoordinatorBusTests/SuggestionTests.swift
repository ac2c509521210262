import CoordinatorBus
import CoordinatorKit
import DBus
import Testing

@Suite("Suggestions of screens on the bus", .timeLimit(.minutes(1)))
struct SuggestionTests {
  private static let menu = Screen.menu("size", title: "How large?", choices: [Action("small", "S"), Action("large", "L")])
  private static let list = Screen.list("days", title: "Days", items: [Item("mo", "Monday"), Item("tu", "Tuesday")])

  private func described(_ change: [String: Value]) throws -> [String: Value] {
    try Self.menu.description().merging(change) { $1 }
  }

  @Test("A suggestion is an array of ids, and survives a round trip over the bus, also if it is empty")
  func suggestionRoundTrips() throws {
    for screen in [Self.menu.suggesting("large"), Self.list.suggesting(rows: ["mo", "tu"]), Self.list.suggesting(rows: [])] {
      let vardict = try PresentedScreenTests.presented(screen).vardict()
      #expect(vardict["suggested"]?.type.description == "as")
      let overTheWire = try #require(Value.vardict(vardict).vardict)
      #expect(try PresentedScreen(vardict: overTheWire).screen == screen)
    }
  }

  @Test("A screen that suggests nothing has no key for it")
  func nothingIsOmitted() throws {
    for screen in [Self.menu, Self.menu.suggesting(nil), Self.menu.suggesting("large").suggesting(nil)] {
      #expect(try screen.description()["suggested"] == nil)
    }
  }

  @Test("A single id may be a string, and ids that the screen does not offer are read all the same")
  func singleIDMayBeAString() throws {
    #expect(try Screen(described: described(["suggested": .string("large")])).suggested == ["large"])
    #expect(try Screen(described: described(["suggested": .variant(.string("gone"))])).suggested == ["gone"])
    #expect(try Screen(described: described(["suggested": .array(of: .variant, [.variant(.string("a"))])])).suggested == ["a"])
    #expect(try Screen(described: described(["suggested": .array(of: .variant, [])])).suggested == [])
  }

  @Test(
    "A suggestion that is neither an id nor ids is malformed",
    arguments: [
      .uint32(1), .boolean(true), .vardict([:]), .array(of: .uint32, [.uint32(1)]),
      .array(of: .variant, [.variant(.string("large")), .variant(.uint32(1))]), .objectPath("/large"),
    ] as [Value])
  func wrongTypeIsMalformed(value: Value) throws {
    #expect(throws: MalformedScreen(key: "suggested")) { try Screen(described: described(["suggested": value])) }
  }
}
