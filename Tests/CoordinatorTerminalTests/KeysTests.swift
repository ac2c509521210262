import CoordinatorBus
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("Keys on a full screen")
struct KeysTests {
  @Test(
    "choose from a menu by arrows, letters and digits",
    arguments: [
      [Key.enter], [.down, .up, .enter], [.character("j"), .character("k"), .enter], [.character("1")], [.down, .down, .enter],
      [.end, .home, .character(" ")],
    ])
  func menu(keys: [Key]) {
    var display = Display.showing(Samples.menu)
    var effects: [Display.Effect] = []
    for key in keys { effects = display.press(key) }
    #expect(effects.delegation?.event == "well")
  }

  @Test("narrow a list down while one types, and choose from what is left")
  func filter() {
    var display = Display.showing(Samples.quotes)
    display.type("GIANTS if")
    #expect(display.text().contains("1/3"))
    #expect(display.press(.enter).delegation?.payload == ["id": "q4"])
    var cleared = Display.showing(Samples.quotes)
    cleared.type("zzz")
    #expect(cleared.text().contains("Nothing matches."))
    #expect(cleared.press(.enter).isEmpty)
    #expect(cleared.press(.escape).isEmpty)
    #expect(!cleared.text().contains("zzz"))
    #expect(cleared.press(.escape).isEmpty)
    #expect(cleared.question != nil)
  }

  @Test("filter by what is written in other scripts")
  func wideFilter() {
    var display = Display.showing(Samples.kanji)
    display.type("本")
    #expect(display.press(.enter).delegation?.payload == ["id": "本"])
  }

  @Test("scroll a long list by rows, pages and to its ends, and keep the chosen row in sight")
  func scroll() {
    var display = Display.showing(Samples.numbers)
    for (key, row) in [(Key.end, 1000), (.home, 1), (.pageDown, 17), (.down, 18), (.pageUp, 2), (.wheelDown, 3)] {
      display.press(key)
      #expect(display.views[1]?.list?.chosen?.id == "\(row)", "\(key)")
      #expect(display.text().contains("❯ Number \(row)\n") || display.text().contains("❯ Number \(row) "), "\(key)")
    }
  }

  @Test("stay on the same row when the list changes")
  func listUpdated() {
    var display = Display.showing(Samples.quotes)
    display.press(.down)
    var screen = Samples.quotes
    screen.items?.reverse()
    _ = display.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(display.press(.enter).delegation?.payload == ["id": "q4"])
  }

  @Test("go back, where there is a way back", arguments: [Key.escape, .altLeft])
  func back(key: Key) {
    var display = Display.showing(Samples.window(1, Samples.presented(Samples.home), Samples.presented(Samples.menu, id: 2)))
    #expect(display.press(key) == [.back(screen: 2)])
    var root = Display.showing(Samples.home, back: false)
    #expect(root.press(key).isEmpty)
    #expect(root.text().contains("There is no way back"))
    root.press(.right)
    #expect(!root.text().contains("There is no way back"))
  }

  @Test("leave, and the flow goes on")
  func leave() {
    var display = Display.showing(Samples.menu)
    #expect(
      display.press(.character("q")) == [.leave(.success, ["The flow goes on. To come back to it: coordinator-tui pets_1"])])
    #expect(display.press(.enter).isEmpty)
    var typing = Display.showing(Samples.logIn)
    #expect(typing.press(.character("q")).exit == nil)
    #expect(typing.handle(.interrupted).exit == .interrupted)
  }

  @Test("explain themselves with F1, and with ? where it is no text")
  func help() {
    var display = Display.showing(Samples.logIn)
    display.press(.help)
    #expect(display.text().contains("this help"))
    display.press(.pageDown, .escape)
    #expect(!display.text().contains("this help"))
    var menu = Display.showing(Samples.menu)
    menu.press(.character("?"))
    #expect(menu.text().contains("this help"))
  }

  @Test("scroll a text that is longer than the screen, while its buttons stay")
  func longText() {
    var display = Display.showing(Samples.long)
    #expect(display.text().contains("Line 1\n"))
    #expect(display.text().contains("[ Accept ]"))
    for _ in 0..<9 { display.press(.pageDown) }
    #expect(display.text().contains("Line 40"))
    #expect(display.text().contains("[ Accept ]"))
    #expect(display.press(.enter).delegation?.event == "accept")
  }

  @Test("are never for what destroys something, unless one goes there")
  func destructive() {
    var screen = Samples.long
    screen.actions.reverse()
    screen.actions[1].role = .normal
    var display = Display.showing(screen)
    #expect(display.press(.enter).delegation?.event == "accept")
  }

  @Test("are not taken while a call is under way, nor while the daemon is away")
  func busy() {
    var display = Display.showing(Samples.menu)
    #expect(display.press(.enter).delegation != nil)
    #expect(display.press(.enter).isEmpty)
    var away = Display.showing(Samples.menu)
    _ = away.handle(.event(.daemonLost))
    #expect(away.press(.enter).isEmpty)
    #expect(away.press(.character("q")).exit == .success)
  }

  @Test("of the mouse click what is there, and nothing that is covered")
  func mouse() throws {
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
