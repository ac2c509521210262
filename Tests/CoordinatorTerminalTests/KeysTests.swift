import CoordinatorBus
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("The keys on the full screen", .timeLimit(.minutes(5)))
struct KeysTests {
  @Test(
    "Arrows, letters and digits choose from a menu",
    arguments: [
      [Key.enter], [.down, .up, .enter], [.character("j"), .character("k"), .enter], [.character("1")], [.down, .down, .enter],
      [.end, .home, .character(" ")],
    ])
  func keysChooseFromAMenu(keys: [Key]) {
    var display = Display.showing(Samples.menu)
    var effects: [Display.Effect] = []
    for key in keys { effects = display.press(key) }
    #expect(effects.delegation?.event == "well")
  }

  @Test(
    "The letters of yes and no answer a menu of these two, and mean nothing on another one", arguments: ["y": "yes", "n": "no"])
  func lettersAnswerYesAndNo(letter: Character, event: String) {
    var sure = Display.showing(Screen.menu("sure", title: "Sure?", choices: [Action("yes", "Erase"), Action("no", "Keep")]))
    #expect(sure.press(.character(letter)).delegation?.event == event)
    var other = Display.showing(Screen.menu("sure", title: "Sure?", choices: [Action("yes", "Yes"), Action("never", "No")]))
    #expect(other.press(.character(letter)).delegation == nil)
  }

  @Test("Typing filters a list, and Enter chooses from what is left")
  func typingFiltersAList() {
    var display = Display.showing(Samples.quotes)
    display.type("GIANTS if")
    #expect(display.text().contains("1 of 3"))
    #expect(display.press(.enter).delegation?.payload == ["id": "q4"])
    var cleared = Display.showing(Samples.quotes)
    cleared.type("zzz")
    #expect(cleared.text().contains("Nothing matches."))
    #expect(cleared.press(.enter).isEmpty)
    #expect(cleared.press(.escape).isEmpty)
    #expect(!cleared.text().contains("zzz"))
    #expect(cleared.press(.escape) == [.countOthers])
  }

  @Test("Characters of any script filter a list")
  func otherScriptsFilterAList() {
    var display = Display.showing(Samples.kanji)
    display.type("本")
    #expect(display.press(.enter).delegation?.payload == ["id": "本"])
  }

  @Test("A long list is scrolled by rows, by pages, and to its ends, with the focused row in view")
  func listIsScrolledWithItsFocusInView() {
    var display = Display.showing(Samples.numbers)
    for (key, row) in [(Key.end, 1000), (.home, 1), (.pageDown, 17), (.down, 18), (.pageUp, 2), (.wheelDown, 3)] {
      display.press(key)
      #expect(display.views[1]?.rows.list?.chosen?.id == "\(row)", "\(key)")
      #expect(display.text().contains("❯ Number \(row)\n") || display.text().contains("❯ Number \(row) "), "\(key)")
    }
  }

  @Test("The focus stays on the same row when the list is reordered")
  func focusStaysOnARowThatMoves() {
    var display = Display.showing(Samples.quotes)
    display.press(.down)
    var screen = Samples.quotes
    screen.items?.reverse()
    _ = display.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(display.press(.enter).delegation?.payload == ["id": "q4"])
  }

  @Test("Escape goes back where that is possible, and otherwise says that it is not", arguments: [Key.escape, .altLeft])
  func escapeGoesBackWherePossible(key: Key) {
    var display = Display.showing(Samples.window(1, Samples.presented(Samples.home), Samples.presented(Samples.menu, id: 2)))
    #expect(display.press(key) == [.back(screen: 2)])
    var root = Display.showing(Samples.home, back: false)
    #expect(root.press(key).isEmpty)
    #expect(root.text().contains("There is no way back"))
    root.press(.right)
    #expect(!root.text().contains("There is no way back"))
  }

  @Test("'q' and Ctrl-C leave, and the flow continues")
  func leavingKeepsTheFlowRunning() {
    var display = Display.showing(Samples.menu)
    #expect(
      display.press(.character("q")) == [.leave(.success, ["The flow continues. To return to it: coordinator-tui pets_1"])])
    #expect(display.press(.enter).isEmpty)
    var typing = Display.showing(Samples.logIn)
    #expect(typing.press(.character("q")).exit == nil)
    #expect(typing.handle(.interrupted).exit == .interrupted)
  }

  @Test("F1 shows the help, and so does '?' where it is not text")
  func helpIsShownOnRequest() {
    var display = Display.showing(Samples.logIn)
    display.press(.help)
    #expect(display.text().contains("choose; in a form"))
    display.press(.pageDown, .escape)
    #expect(!display.text().contains("choose; in a form"))
    var menu = Display.showing(Samples.menu)
    menu.press(.character("?"))
    #expect(menu.text().contains("choose; in a form"))
  }

  @Test("A long text is scrolled while its buttons stay in view")
  func longTextIsScrolledAboveItsButtons() {
    var display = Display.showing(Samples.long)
    #expect(display.text().contains("Line 1\n"))
    #expect(display.text().contains("[ Accept ]"))
    for _ in 0..<9 { display.press(.pageDown) }
    #expect(display.text().contains("Line 40"))
    #expect(display.text().contains("[ Accept ]"))
    #expect(display.press(.enter).delegation?.event == "accept")
  }

  @Test("A long text is shown from its beginning, although the size of the terminal is known only later")
  func longTextIsShownFromItsBeginning() {
    var display = Display(tree: "pets_1", isUnicode: true)
    _ = display.handle(.event(.window(Samples.window(1, Samples.presented(Samples.long)))))
    _ = display.draw(in: Size(columns: 0, rows: 0))
    #expect(display.text().contains("Line 1\n"))
  }

  @Test("A destructive action is never the default")
  func destructiveActionIsNeverTheDefault() {
    var screen = Samples.long
    screen.actions.reverse()
    screen.actions[1].role = .normal
    var display = Display.showing(screen)
    #expect(display.press(.enter).delegation?.event == "accept")
  }

  @Test("Keys are ignored while a call is in progress or the daemon is away")
  func keysAreIgnoredDuringACall() {
    var display = Display.showing(Samples.menu)
    #expect(display.press(.enter).delegation != nil)
    #expect(display.press(.enter).isEmpty)
    var away = Display.showing(Samples.menu)
    _ = away.handle(.event(.daemonLost))
    #expect(away.press(.enter).isEmpty)
    #expect(away.press(.character("q")).exit == .success)
  }

  @Test("A click reaches what is shown on top, and nothing that is covered")
  func clickReachesOnlyTheTopScreen() throws {
    var display = Display.showing(Samples.menu)
    let row = try #require(display.lines().firstIndex { $0.contains("My pet is sick") })
    #expect(display.press(.click(Position(column: 8, row: row))).delegation?.event == "sick")
    var covered = Display.showing(
      Samples.window(1, Samples.presented(Samples.home), Samples.presented(Samples.menu, id: 2, layer: 1)))
    for row in 0..<24 {
      for column in 0..<80 {
        let delegation = covered.handle(.key(.click(Position(column: column, row: row)))).delegation
        #expect(delegation == nil || delegation?.screen == 2)
        if delegation != nil { _ = covered.handle(.refused(.refused(.denied(message: "no")))) }
      }
    }
  }
}
