import CoordinatorBus
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("Groups, suggestions and several choices of a list on the full screen", .timeLimit(.minutes(5)))
struct ChoosingTests {
  private static let items = [
    Item("vim", "vim", subtitle: "an editor", group: "Editors"), Item("ed", "ed", group: "Editors"),
    Item("gcc", "gcc", group: "Tools"), Item("swift", "swift", group: "Tools", disabled: "The disk is too small."),
    Item("none", "Nothing"),
  ]
  private static let single = Screen.list("tools", title: "Tools", items: items)

  @Test("The rows of a group are below its heading")
  func groupsHaveHeadings() {
    var display = Display.showing(Self.single)
    #expect(
      Array(display.lines(60, 20)[4...11])
        == [
          "  Editors", "  ❯ vim      an editor", "    ed", "  Tools", "    gcc", "    swift    (The disk is too small.)", "",
          "    Nothing",
        ])
  }

  @Test("A filter keeps the headings of what it finds, and finds the rows of a group by its name")
  func filterKeepsHeadings() {
    var many = Self.single
    many.items?.append(Item("extra", "Extra"))
    var display = Display.showing(many)
    display.type("tools")
    #expect(display.text().contains("2 of 6"))
    #expect(display.text().contains("  Tools\n  ❯ gcc"))
    #expect(!display.text().contains("Editors"))
    #expect(display.press(.enter).delegation?.payload == ["id": "gcc"])
  }

  @Test("The suggested row has the cursor at first, also when the list arrives later")
  func suggestedRowHasTheCursor() {
    let suggesting = Self.single.choosing(initial: ["gcc"])
    var display = Display.showing(suggesting)
    #expect(display.press(.enter).delegation?.payload == ["id": "gcc"])
    var empty = suggesting
    empty.items = []
    var later = Display.showing(empty)
    _ = later.handle(.event(.window(Samples.window(2, Samples.presented(suggesting)))))
    #expect(later.press(.enter).delegation?.payload == ["id": "gcc"])
  }

  @Test("A suggested row far down in a long list is in view, with its heading")
  func suggestedRowIsInView() {
    let items = (0..<300).map { Item("\($0)", Text(verbatim: "Row \($0)"), group: Text(verbatim: "Group \($0 / 10)")) }
    var display = Display.showing(Screen.list("rows", title: "Rows", items: items).choosing(initial: ["250"]))
    #expect(display.text(60, 16).contains("❯ Row 250"))
    display.press(.up, .down)
    #expect(display.text(60, 16).contains("Group 25\n  ❯ Row 250"))
  }

  @Test("A row that cannot be chosen says why, and is not where the cursor begins")
  func disabledRowSaysWhy() {
    var screen = Self.single
    screen.items?[0].disabled = "It is installed."
    var display = Display.showing(screen)
    #expect(display.text().contains("❯ ed"))
    #expect(display.press(.up, .enter).isEmpty)
    #expect(display.text().contains("• It is installed."))
  }

  @Test("A blank between typed words filters, and chooses a row only after an arrow key or another blank")
  func blankFilters() {
    let cities = ["New York", "Newark", "Old Town"].map { Item($0, verbatim: $0) }
    let screen = Screen.list("cities", title: "Cities", items: cities).choosing(0...3)
    for keys in [[Key.up, .character(" ")], [.character(" "), .character(" ")]] {
      var display = Display.showing(screen)
      display.type("new y")
      #expect(display.text().contains("❯ [ ] New York") && !display.text().contains("[x]"))
      #expect(display.text().contains("↑↓ Space pick"))
      display.press(keys[0], keys[1])
      #expect(display.text().contains("❯ [x] New York"))
      #expect(display.press(.enter).delegation?.payload == ["ids": ["New York"]])
    }
  }

  @Test("Space chooses rows, Enter sends them, and the number of rows is counted")
  func severalRowsAreChosen() {
    var display = Display.showing(Self.single.choosing(1...2, initial: ["ed"]))
    #expect(display.text().contains("Choose 1 to 2: 1 chosen"))
    #expect(display.text().contains("❯ [ ] vim      an editor"))
    #expect(display.text().contains("[x] ed"))
    #expect(display.text().contains("Enter send · Space pick"))
    display.press(.character(" "))
    #expect(display.text().contains("Choose 1 to 2: 2 chosen"))
    var sent = display
    #expect(sent.press(.enter).delegation?.payload == ["ids": ["vim", "ed"]])
    #expect(display.press(.down, .down, .character(" "), .enter).isEmpty)
    #expect(display.text().contains("Choose 1 to 2: 3 chosen."))
    #expect(display.press(.down, .character(" ")).isEmpty)
    #expect(display.text().contains("• The disk is too small."))
  }

  @Test("A click chooses one of several rows without sending them")
  func clickChoosesOneOfSeveral() throws {
    var display = Display.showing(Self.single.choosing(1...2))
    let row = try #require(display.lines().firstIndex { $0.contains("gcc") })
    #expect(display.press(.click(Position(column: 10, row: row))).isEmpty)
    #expect(display.press(.enter).delegation?.payload == ["ids": ["gcc"]])
  }

  @Test("What was chosen but not sent stays when the list changes, and is missed when the screen goes")
  func choiceStaysWhenTheListChanges() {
    var display = Display.showing(Self.single.choosing(0...4))
    display.press(.character(" "))
    var screen = Self.single.choosing(0...4)
    screen.items?.insert(Item("new", "New"), at: 0)
    _ = display.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(display.text().contains("❯ [x] vim"))
    _ = display.handle(.event(.window(Samples.window(3, Samples.presented(Samples.menu, id: 2)))))
    #expect(display.text(100).contains("has not been sent"))
  }
}
