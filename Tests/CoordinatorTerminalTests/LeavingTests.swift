import CoordinatorBus
import CoordinatorKit
import CoordinatorTools
import DBus
import Testing

@testable import CoordinatorTerminal

@Suite("The way out of a flow on a full screen")
struct LeavingTests {
  @Test("Esc on the first screen of the flow asks before it ends the flow for everybody", arguments: [Key.escape, .altLeft])
  func asks(key: Key) {
    var display = Display.showing(Samples.menu)
    #expect(display.press(key).isEmpty)
    #expect(display.text().contains("End this flow for everyone who has it open?"))
    #expect(display.text().contains("Y end · Esc stay"))
    #expect(display.press(.character("y")) == [.back(screen: 1)])
    #expect(display.question == nil)
  }

  @Test(
    "whatever is pressed next but Y, or the button that says so, leaves the flow as it is",
    arguments: [Key.escape, .altLeft, .enter, .character("n"), .character("N"), .character(" ")])
  func stays(key: Key) {
    var display = Display.showing(Samples.menu)
    display.press(.escape)
    #expect(display.press(key).isEmpty)
    #expect(display.question == nil)
    #expect(display.press(.enter).delegation?.event == "well")
  }

  @Test("the button that ends it has to be gone to")
  func button() throws {
    var display = Display.showing(Samples.menu)
    display.press(.escape)
    #expect(display.press(.tab, .enter) == [.back(screen: 1)])
    var clicked = Display.showing(Samples.menu)
    clicked.press(.escape)
    let row = try #require(clicked.lines().firstIndex { $0.contains("[! End it ]") })
    let column = try #require(clicked.lines()[row].firstRange(of: "[! End it ]"))
    let place = clicked.lines()[row][..<column.lowerBound].count
    #expect(clicked.press(.click(Position(column: place, row: row))) == [.back(screen: 1)])
  }

  @Test("one can leave without an answer, and read what keys do")
  func leave() {
    var display = Display.showing(Samples.menu)
    display.press(.escape, .help)
    #expect(display.text().contains("this help"))
    display.press(.escape)
    #expect(display.question != nil)
    #expect(display.press(.character("q")).exit == .success)
  }

  @Test("it is asked no longer when somebody else goes on")
  func news() {
    var display = Display.showing(Samples.menu)
    display.press(.escape)
    var screen = Samples.menu
    screen.body = "Think of it."
    _ = display.handle(.event(.window(Samples.window(2, Samples.presented(screen)))))
    #expect(display.question != nil)
    _ = display.handle(.event(.window(Samples.window(3, Samples.presented(screen), Samples.presented(Samples.home, id: 2)))))
    #expect(display.question == nil)
    #expect(display.press(.escape) == [.back(screen: 2)])
  }

  @Test("where only a part of the flow ends for certain, that is what is asked")
  func part() throws {
    var screen = Samples.presented(Samples.menu, id: 2)
    screen.coordinator = try ObjectPath(Samples.root.string + "/visit_1")
    var display = Display.showing(Samples.window(1, screen))
    display.press(.escape)
    #expect(display.text().contains("This may end the flow for everyone"))
    #expect(display.press(.tab, .enter) == [.back(screen: 2)])
  }

  @Test("the hint says what Esc does: back only where that is a way back")
  func hints() {
    var first = Display.showing(Samples.menu)
    #expect(first.text().contains("Esc end"))
    #expect(!first.text().contains("Esc back"))
    var second = Display.showing(Samples.window(1, Samples.presented(Samples.home), Samples.presented(Samples.menu, id: 2)))
    #expect(second.text().contains("Esc back"))
    var none = Display.showing(Samples.menu, back: false)
    #expect(!none.text().contains("Esc"))
  }
}
