import CoordinatorBus
import CoordinatorKit
import DBus
import RendererKit
import Testing

@testable import CoordinatorTerminal

@Suite("The way out of a flow on the full screen", .timeLimit(.minutes(5)))
struct LeavingTests {
  @Test("Escape on the first screen asks before it ends the flow for everyone", arguments: [Key.escape, .altLeft])
  func escapeAsksBeforeEndingTheFlow(key: Key) {
    var display = Display.showing(Samples.answered)
    #expect(display.press(key).isEmpty)
    #expect(display.text().contains("End this flow for everyone who has it open?"))
    #expect(display.text().contains("Y end · Esc stay"))
    #expect(display.press(.character("y")) == [.back(screen: 1)])
    #expect(display.question == nil)
  }

  @Test(
    "Every key but Y, or the button for it, leaves the flow as it is",
    arguments: [Key.escape, .altLeft, .enter, .character("n"), .character("N"), .character(" ")])
  func otherKeysKeepTheFlow(key: Key) {
    var display = Display.showing(Samples.answered)
    display.press(.escape)
    #expect(display.press(key).isEmpty)
    #expect(display.question == nil)
    #expect(display.press(.enter).delegation?.event == "well")
  }

  @Test("The button that ends the flow is not focused by default")
  func endButtonNeedsAMove() throws {
    var display = Display.showing(Samples.answered)
    display.press(.escape)
    #expect(display.press(.tab, .enter) == [.back(screen: 1)])
    var clicked = Display.showing(Samples.answered)
    clicked.press(.escape)
    let row = try #require(clicked.lines().firstIndex { $0.contains("[! End it ]") })
    let column = try #require(clicked.lines()[row].firstRange(of: "[! End it ]"))
    let place = clicked.lines()[row][..<column.lowerBound].count
    #expect(clicked.press(.click(Position(column: place, row: row))) == [.back(screen: 1)])
  }

  @Test("While the question about leaving is shown the user can read the help and leave")
  func questionCanBeLeftUnanswered() {
    var display = Display.showing(Samples.answered)
    display.press(.escape, .help)
    #expect(display.text().contains("choose; in a form"))
    display.press(.escape)
    #expect(display.question != nil)
    #expect(display.press(.character("q")).exit == .success)
  }

  @Test("The question about leaving is withdrawn when another client moves the flow on")
  func questionIsWithdrawnWhenTheFlowMovesOn() {
    var display = Display.showing(Samples.answered)
    display.press(.escape)
    var screen = Samples.menu
    screen.body = "Think of it."
    _ = display.handle(.event(.window(Samples.window(3, Samples.presented(screen)))))
    #expect(display.question != nil)
    _ = display.handle(.event(.window(Samples.window(4, Samples.presented(screen), Samples.presented(Samples.home, id: 2)))))
    #expect(display.question == nil)
    #expect(display.press(.escape) == [.back(screen: 2)])
  }

  @Test("The question about leaving is weaker where only a child surely ends")
  func childOnlyQuestionIsWeaker() throws {
    var screen = Samples.presented(Samples.menu, id: 2)
    screen.coordinator = try ObjectPath(Samples.root.string + "/visit_1")
    var display = Display.showing(Samples.window(2, screen))
    display.press(.escape)
    #expect(display.text().contains("This may end the flow for everyone"))
    #expect(display.press(.tab, .enter) == [.back(screen: 2)])
  }

  @Test("The user is not asked if nothing was answered or typed and the flow is shown nowhere else")
  func nothingIsAskedWhereNothingIsLost() {
    var display = Display.showing(Samples.menu)
    #expect(display.press(.escape) == [.countOthers])
    #expect(display.press(.enter).isEmpty)
    #expect(display.handle(.counted(others: 0)) == [.back(screen: 1)])
    #expect(display.question == nil)
  }

  @Test("The user is asked if the flow is shown elsewhere, or if that cannot be found out", arguments: [1, nil])
  func othersAreConsidered(others: Int?) {
    var display = Display.showing(Samples.menu)
    display.press(.escape)
    #expect(display.handle(.counted(others: others)).isEmpty)
    #expect(display.text().contains("End this flow for everyone who has it open?"))
  }

  @Test("The user is asked at once if something was typed")
  func typingIsConsidered() {
    var display = Display.showing(Samples.logIn)
    display.type("ada")
    #expect(display.press(.escape).isEmpty)
    #expect(display.question != nil)
  }

  @Test("A screen that changes while the other renderers are counted is not left")
  func changedScreenIsNotLeft() {
    var display = Display.showing(Samples.menu)
    display.press(.escape)
    _ = display.handle(.event(.window(Samples.window(2, Samples.presented(Samples.home, id: 2)))))
    #expect(display.handle(.counted(others: 0)).isEmpty)
    #expect(display.press(.enter).delegation?.screen == 2)
    var lost = Display.showing(Samples.menu)
    lost.press(.escape)
    _ = lost.handle(.event(.daemonLost))
    #expect(lost.handle(.counted(others: nil)).isEmpty)
  }

  @Test("The hint for Escape says whether it goes back or ends the flow")
  func hintNamesTheEffectOfEscape() {
    var first = Display.showing(Samples.answered)
    #expect(first.text().contains("Esc end"))
    #expect(!first.text().contains("Esc back"))
    var second = Display.showing(Samples.window(1, Samples.presented(Samples.home), Samples.presented(Samples.menu, id: 2)))
    #expect(second.text().contains("Esc back"))
    var none = Display.showing(Samples.menu, back: false)
    #expect(!none.text().contains("Esc"))
  }

  @Test("Where users cannot leave, nothing is written when they try, and a kiosk writes nothing of what was typed")
  func kioskLeavesNothingBehind() throws {
    for isLocked in [true, false] {
      var display = Display(
        tree: "pets_1", font: .unicode, policy: KioskPolicy(isLocked: isLocked, restartTime: .seconds(1), idleTime: nil))
      _ = display.handle(.event(.window(Samples.window(1, Samples.presented(Samples.logIn)))))
      display.type("Anna")
      _ = display.handle(.event(.window(Samples.window(2, Samples.presented(Samples.menu, id: 2)))))
      #expect(!display.unsent.isEmpty)
      let effects = display.press(.character("q"))
      guard case .leave(_, let lines)? = effects.first else {
        Issue.record("\(effects)")
        continue
      }
      #expect(lines.isEmpty == isLocked)
      #expect(!lines.joined().contains("Anna"))
    }
  }
}
