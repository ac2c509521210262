import CoordinatorBus
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

/// What was pressed for a part that is gone does nothing to another.
@Suite("Where keys go when a screen changes")
struct FocusTests {
  private static let searching = Screen(
    "networks", kind: .list, title: "Networks", actions: [Action("skip", "Skip this step")], items: [],
    progress: Progress(text: "Looking for networks"))

  private static func found(_ names: String..., isBusy: Bool = false) -> Screen {
    var screen = searching
    screen.items = names.map { Item($0, $0) }
    if !isBusy { screen.progress = nil }
    return screen
  }

  private func show(_ screen: Screen, _ revision: UInt64, in display: inout Display) {
    _ = display.handle(.event(.window(Samples.window(revision, Samples.presented(screen)))))
    _ = display.draw(in: Size(columns: 80, rows: 24))
  }

  @Test("a second Enter that was meant for a form does not cancel what the first has begun")
  func busyForm() {
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

  @Test("who has gone to Cancel stays there while the work goes on")
  func chosenCancel() {
    var display = Display.showing(Samples.busy)
    display.press(.tab)
    var screen = Samples.busy
    screen.progress = Progress(text: "Nearly there")
    show(screen, 2, in: &display)
    #expect(display.press(.enter).delegation?.event == "cancel")
  }

  @Test("a screen of progress, and a menu that is busy, press nothing by themselves but what they are for")
  func progress() {
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

  @Test("a list that fills takes the keys, and no action beside it got them before")
  func filled() {
    var display = Display.showing(Self.searching)
    #expect(!display.text().contains("There is nothing here."))
    #expect(display.press(.enter).isEmpty)
    show(Self.found("Office", "Cafe"), 2, in: &display)
    #expect(display.text().contains("❯ Office"))
    #expect(display.press(.enter).delegation?.payload == ["id": "Office"])
  }

  @Test("a list that is empty for a moment gets the keys back")
  func refilled() {
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

  @Test("who has gone to an action beside a list stays there when the list fills")
  func chosenAction() {
    var display = Display.showing(Self.searching)
    display.press(.tab)
    show(Self.found("Office", isBusy: true), 2, in: &display)
    #expect(display.press(.enter).delegation?.event == "skip")
  }

  @Test("an action that is gone leaves the keys to nobody else's harm")
  func goneAction() {
    var screen = Samples.menu
    var display = Display.showing(screen)
    screen.actions = [.destructive("erase", "Erase everything"), Action("sick", "My pet is sick")]
    show(screen, 2, in: &display)
    #expect(display.press(.enter).isEmpty)
    #expect(display.press(.down, .down, .enter).delegation?.event == "sick")
  }
}
