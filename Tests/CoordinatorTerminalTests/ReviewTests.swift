import CoordinatorBus
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("Answers under review on the full screen", .timeLimit(.minutes(5)))
struct ReviewTests {
  private static let check = Screen.message(
    "check", title: "Check your answers", actions: [.primary("apply", "Apply")]
  ).reviewing([
    ReviewRow("Name", "Ada", on: ScreenID(3)), ReviewRow("Time zone", "UTC"),
    ReviewRow("Packages", "vim\ned", on: ScreenID(4)), ReviewRow("Notes", "", on: ScreenID(5)),
  ]).step(4, of: 4)

  @Test("Answers are beside their titles, with a button where they can be changed")
  func answersAreBesideTheirTitles() {
    var display = Display.showing(Self.check)
    #expect(
      Array(display.lines(60, 20)[2...10]) == [
        "  Check your answers                           Step 4 of 4",
        "",
        "  Name       Ada                                [ Change ]",
        "  Time zone  UTC",
        "  Packages   vim                                [ Change ]",
        "             ed",
        "  Notes      –                                  [ Change ]",
        "",
        "  [ Apply ]",
      ])
  }

  @Test("In a small terminal answers are below their titles")
  func answersAreBelowTheirTitlesInASmallTerminal() {
    var display = Display.showing(Self.check)
    #expect(display.lines(30, 12).contains(" Time zone"))
    #expect(display.lines(30, 12).contains("   UTC"))
  }

  @Test("Change sends the id of the answer's screen", arguments: [(1, Int64(3)), (2, 4), (3, 5)])
  func changeSendsTheScreen(tabs: Int, id: Int64) {
    var display = Display.showing(Self.check)
    for _ in 0..<tabs { display.press(.tab) }
    let delegation = display.press(.enter).delegation
    #expect(delegation?.event == "change")
    #expect(delegation?.payload == ["id": .integer(id)])
  }

  @Test("The answers are accepted by default, and the arrows move between them")
  func answersAreAcceptedByDefault() {
    var display = Display.showing(Self.check)
    var moved = display
    #expect(display.press(.enter).delegation?.event == "apply")
    #expect(moved.press(.up, .up, .enter).delegation?.payload == ["id": 4])
  }

  @Test("A click on Change changes that answer")
  func clickChangesAnAnswer() throws {
    var display = Display.showing(Self.check)
    let row = try #require(display.lines().firstIndex { $0.contains("Packages") })
    let place = try #require(display.lines()[row].firstRange(of: "Change"))
    let column = display.lines()[row][..<place.lowerBound].count
    #expect(display.press(.click(Position(column: column, row: row))).delegation?.payload == ["id": 4])
  }

  @Test("Nothing can be changed while the screen is busy")
  func nothingIsChangedWhileBusy() {
    var screen = Self.check
    screen.progress = Progress(text: "Applying")
    var display = Display.showing(screen)
    #expect(!display.text().contains("Change"))
    #expect(display.text().contains("Ada"))
  }
}
