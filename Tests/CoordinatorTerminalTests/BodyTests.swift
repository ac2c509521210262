import CoordinatorBus
import CoordinatorKit
import QRCodes
import Testing

@testable import CoordinatorTerminal

@Suite("Structured texts and pictures on the full screen", .timeLimit(.minutes(5)))
struct BodyTests {
  private static let code = "https://example.org/pair"

  private static func showing(_ text: String, isUnicode: Bool = true) -> Display {
    Display.showing(Screen.message("text", title: "Text").with(Markup(Text(verbatim: text))), isUnicode: isUnicode)
  }

  @Test("Bullets have hanging indents, and links are followed by their addresses")
  func bulletsHaveHangingIndents() {
    var display = Self.showing("Read the [manual](https://example.org).\n\n- First of all the power supply\n- Then the rest")
    #expect(
      Array(display.lines(30, 20)[4...10])
        == [
          "Read the manual", "(https://example.org).", "", "• First of all the power", "  supply", "• Then the rest", "",
        ].map { $0.isEmpty ? "" : " " + $0 })
  }

  @Test("Strong text is bold and code has marks, also where a line is broken")
  func strongTextIsBold() {
    var display = Self.showing("Never **switch it off** during `apt upgrade`.")
    let frame = display.draw(in: Size(columns: 20, rows: 12))
    #expect(frame.lines.filter { !$0.isEmpty }.dropFirst(2).prefix(3) == ["Never switch it off", "during `apt", "upgrade`."])
    let row = frame.row(frame.lines.firstIndex(of: "Never switch it off") ?? 0).map(\.look.traits)
    #expect(row[6..<19].allSatisfy { $0.contains(.bold) })
    #expect(!row[0].contains(.bold))
  }

  @Test("Verbatim lines are not broken between words, and lose nothing at the edge")
  func verbatimLinesAreNotWrapped() {
    var display = Self.showing("```\nNAME   SIZE  a b c d e f g h\n  sda\n```")
    #expect(Array(display.lines(24, 16)[4...6]) == ["  NAME   SIZE  a b c d e", "   f g h", "    sda"])
  }

  @Test("A structured text cannot move the cursor or change the terminal")
  func structuredTextIsHarmless() {
    var display = Self.showing("a **\u{1B}[31mb** `\u{7}c` \u{202E}d\n\n```\n\u{1B}]0;x\n```")
    #expect(!display.text().unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
  }

  @Test("The step is beside the title, or below it if there is no room")
  func stepIsBesideTheTitle() {
    let screen = Screen.message("name", title: "What is your name?").step(2, of: 6)
    var display = Display.showing(screen)
    #expect(display.lines(40, 12)[1] == " What is your name?         Step 2 of 6")
    #expect(Array(display.lines(24, 12)[1...2]) == ["What is your name?", "Step 2 of 6"])
  }

  @Test("A QR code is drawn light on dark with a margin, and its text is below it")
  func codeIsDrawn() throws {
    let screen = Screen.message("pair", title: "Pair", actions: [.primary("done", "Done")]).with(.code(Self.code))
    var display = Display.showing(screen)
    let code = try #require(QRCode(Self.code))
    let frame = display.draw(in: Size(columns: 80, rows: 40))
    let top = try #require(frame.lines.firstIndex { $0.contains("███") })
    let left = frame.lines[top].prefix { $0 == " " }.count
    func isLight(_ row: Int, _ column: Int) -> Bool {
      let cell = frame.row(top + (row + 4) / 2)[frame.row(top + (row + 4) / 2).startIndex + left + column + 4]
      #expect(cell.look.colour == .paper)
      return (row + 4).isMultiple(of: 2) ? cell.text == "█" || cell.text == "▀" : cell.text == "█" || cell.text == "▄"
    }
    for row in -4..<code.size + 4 {
      for column in -4..<code.size + 4 { #expect(isLight(row, column) == !code[row, column], "\(row), \(column)") }
    }
    #expect(frame.lines.contains { $0.contains(Self.code) })
  }

  @Test(
    "Where a QR code does not fit as a whole, its text is shown, and where it can be seen",
    arguments: [(30, 40, true), (80, 14, true), (80, 40, false)])
  func codeThatDoesNotFitIsText(columns: Int, rows: Int, isUnicode: Bool) {
    let screen = Screen.message("pair", title: "Pair", actions: [.primary("done", "Done")]).with(.code(Self.code))
    var display = Display.showing(screen, isUnicode: isUnicode)
    #expect(!display.text(columns, rows).contains("█"))
    #expect(display.text(columns, rows).contains(Self.code))
    #expect(display.text(columns, rows).contains("In a larger window") == isUnicode)
  }

  @Test("An image is described")
  func imageIsDescribed() throws {
    let image = try #require(Picture.Image([0xff, 0xd8, 0xff]))
    var display = Display.showing(Screen.message("map", title: "Map").with(.image(image, description: "The way to the door")))
    #expect(display.text().contains("[The way to the door]"))
  }

  @Test("A text that is too long says how much of it has been seen, and stays apart from its title")
  func longTextSaysWhereItIs() {
    var display = Display.showing(Samples.long)
    #expect(display.text(80, 20).contains("↑↓ scroll 0%"))
    for _ in 0..<5 { display.press(.down) }
    let lines = display.lines(80, 20)
    #expect(lines[2].contains("Terms") && lines[3].isEmpty && lines[4].contains("Line 6"), "\(lines)")
    for _ in 0..<50 { display.press(.down) }
    #expect(display.text(80, 20).contains("↑↓ scroll 100%"))
  }
}
