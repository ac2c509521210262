import CoordinatorBus
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("Suggestions on the full screen", .timeLimit(.minutes(5)))
struct SuggestionTests {
  private static let menu = Samples.menu
  private static let list = Screen.list(
    "tools", title: "Tools", items: [Item("vim", "vim"), Item("ed", "ed"), Item("gcc", "gcc")], actions: [Action("skip", "Skip")])

  private func update(_ display: inout Display, _ revision: UInt64, _ screen: Screen) {
    _ = display.handle(.event(.window(Samples.window(revision, Samples.presented(screen)))))
    _ = display.draw(in: Size(columns: 80, rows: 24))
  }

  @Test("The suggested choice of a menu has the focus at first, and is sent only by a key")
  func suggestedChoiceHasTheFocus() {
    var display = Display.showing(Self.menu.suggesting("sick"))
    #expect(display.text().contains("❯ 2 My pet is sick"))
    #expect(display.press(.enter).delegation?.event == "sick")
    var other = Display.showing(Self.menu.suggesting("sick"))
    #expect(other.press(.up, .enter).delegation?.event == "well")
  }

  @Test("The suggested button of a message or a list has the focus at first")
  func suggestedButtonHasTheFocus() {
    let message = Screen.message("m", title: "M", actions: [.primary("yes", "Yes"), Action("no", "No")])
    var display = Display.showing(message.suggesting("no"))
    #expect(display.press(.enter).delegation?.event == "no")
    var list = Display.showing(Self.list.suggesting("skip"))
    #expect(list.press(.enter).delegation?.event == "skip")
  }

  @Test("The suggested row has the cursor, and suggested rows of several have their boxes checked")
  func suggestedRowsAreChosen() {
    var single = Display.showing(Self.list.suggesting("gcc"))
    #expect(single.press(.enter).delegation?.payload == ["id": "gcc"])
    var several = Display.showing(Self.list.choosing(1...3, initial: ["vim"]).suggesting(rows: ["ed", "gcc"]))
    #expect(several.text().contains("Choose 1 to 3: 2 chosen"))
    #expect(several.press(.enter).delegation?.payload == ["ids": ["ed", "gcc"]])
  }

  @Test("An action that destroys something or cannot be chosen does not have the focus because it is suggested")
  func dangerousActionHasNoFocus() {
    let screen = Screen.menu(
      "m", title: "M",
      choices: [Action("keep", "Keep"), .destructive("erase", "Erase"), Action("off", "Off").disabled(because: "No.")])
    for id in ["erase", "off", "gone"] {
      var display = Display.showing(screen.suggesting(id))
      #expect(display.press(.enter).delegation?.event == "keep", "\(id)")
    }
  }

  @Test("The default has the cursor, and without one the first choice that is not destructive")
  func defaultHasTheCursor() {
    let question = Screen.menu(
      "m", title: "Erase it?", choices: [.destructive("erase", "Erase"), Action("keep", "Keep"), Action("ask", "Ask later")])
    var display = Display.showing(question.defaulting(to: "ask"))
    #expect(display.press(.enter).delegation?.event == "ask")
    var first = Display.showing(question)
    #expect(first.press(.enter).delegation?.event == "keep")
  }

  @Test("Enter does nothing on a menu whose choices are all destructive, until the user has moved")
  func enterDestroysNothing() {
    let screen = Screen.menu("m", title: "M", choices: [.destructive("one", "One"), .destructive("all", "All")])
    var display = Display.showing(screen)
    #expect(display.press(.enter).delegation == nil)
    #expect(display.press(.down, .enter).delegation != nil)
  }

  @Test("A screen that is asked again begins at what it suggests from then on, also after the focus was elsewhere")
  func screenIsAskedAgain() {
    var display = Display.showing(Self.menu)
    #expect(display.text().contains("❯ 1 A check-up"))
    update(&display, 2, Self.menu.suggesting("sick"))
    #expect(display.text().contains("❯ 2 My pet is sick"))
    // The user's own focus stays while the suggestion stays.
    display.press(.up)
    var other = Self.menu.suggesting("sick")
    other.body = "Take your time."
    update(&display, 3, other)
    #expect(display.text().contains("❯ 1 A check-up"))
    var list = Display.showing(Self.list.choosing(0...3))
    update(&list, 2, Self.list.choosing(0...3).suggesting(rows: ["ed"]))
    #expect(list.press(.enter).delegation?.payload == ["ids": ["ed"]])
  }
}
