import CoordinatorBus
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

/// A key that was meant for a removed control must not reach another one.
@Suite("The keyboard focus when a screen changes", .timeLimit(.minutes(5)))
struct FocusTests {
  private static let searching = Screen(
    "networks", kind: .list, title: "Networks", actions: [Action("skip", "Skip this step")], items: [],
    progress: Progress(text: "Looking for networks"))

  private static func found(_ names: String..., isBusy: Bool = false) -> Screen {
    var screen = searching
    screen.items = names.map { Item($0, verbatim: $0) }
    if !isBusy { screen.progress = nil }
    return screen
  }

  private func show(_ screen: Screen, _ revision: UInt64, in display: inout Display) {
    _ = display.handle(.event(.window(Samples.window(revision, Samples.presented(screen)))))
    _ = display.draw(in: Size(columns: 80, rows: 24))
  }

  @Test("A second Enter meant for a form does not cancel the work that the first one started")
  func secondEnterDoesNotCancelTheWork() {
    var display = Display.showing(Samples.logIn)
    display.type("jo")
    display.press(.enter)
    display.type("pw")
    #expect(display.press(.enter).delegation?.event == "submit")
    #expect(display.press(.enter).isEmpty)
    _ = display.handle(.accepted(revision: 2))
    show(Samples.busy, 2, in: &display)
    #expect(display.press(.enter).isEmpty)
    #expect(display.press(.character(" ")).isEmpty)
    #expect(display.text().contains("Tab buttons"))
    #expect(display.press(.tab, .enter).delegation?.event == "cancel")
  }

  @Test("A Cancel button that the user moved to keeps the focus while the work continues")
  func chosenCancelKeepsTheFocus() {
    var display = Display.showing(Samples.busy)
    display.press(.tab)
    var screen = Samples.busy
    screen.progress = Progress(text: "Nearly there")
    show(screen, 2, in: &display)
    #expect(display.press(.enter).delegation?.event == "cancel")
  }

  @Test("Busy menus and progress screens choose nothing by Enter until the user moves to it")
  func busyScreensFocusNoSecondaryAction() {
    var display = Display.showing(Samples.installing)
    #expect(display.press(.enter).isEmpty)
    var menu = Samples.menu
    menu.progress = Progress()
    var busy = Display.showing(menu)
    #expect(busy.press(.enter).isEmpty)
    #expect(busy.press(.character("2")).delegation?.event == "sick")
    busy = Display.showing(menu)
    #expect(busy.press(.up, .enter).delegation?.event == "sick")
    var done = Samples.installing
    done.actions = [.primary("next", "Next"), .cancel("cancel", "Cancel")]
    show(done, 2, in: &display)
    #expect(display.press(.enter).delegation?.event == "next")
  }

  @Test("A list that fills takes the focus, and no action beside it had the focus before")
  func filledListTakesTheFocus() {
    var display = Display.showing(Self.searching)
    #expect(!display.text().contains("There is nothing here."))
    #expect(display.press(.enter).isEmpty)
    show(Self.found("Office", "Cafe"), 2, in: &display)
    #expect(display.text().contains("❯ Office"))
    #expect(display.press(.enter).delegation?.payload == ["id": "Office"])
  }

  @Test("A list that was empty for a moment regains the focus")
  func refilledListRegainsTheFocus() {
    var display = Display.showing(Self.found("Office"))
    show(Self.searching, 2, in: &display)
    #expect(display.press(.enter).isEmpty)
    show(Self.found("Office"), 3, in: &display)
    #expect(display.press(.enter).delegation?.event == "select")
    var empty = Display.showing(Self.found("Office"))
    show(Self.found(), 2, in: &empty)
    #expect(empty.text().contains("There is nothing here."))
    #expect(empty.press(.enter).isEmpty)
  }

  @Test("An action beside a list that the user moved to keeps the focus when the list fills")
  func chosenActionKeepsTheFocus() {
    var display = Display.showing(Self.searching)
    display.press(.tab)
    show(Self.found("Office", isBusy: true), 2, in: &display)
    #expect(display.press(.enter).delegation?.event == "skip")
  }

  @Test("An action that is removed does not pass its focus to a destructive one")
  func removedActionPassesItsFocusToNoOther() {
    var screen = Samples.menu
    var display = Display.showing(screen)
    screen.actions = [.destructive("erase", "Erase everything"), Action("sick", "My pet is sick")]
    show(screen, 2, in: &display)
    #expect(display.press(.enter).isEmpty)
    #expect(display.press(.down, .down, .enter).delegation?.event == "sick")
  }
}
