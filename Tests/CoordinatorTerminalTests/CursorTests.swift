import CoordinatorBus
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

/// Braille displays, magnifiers and screen readers follow the terminal's cursor.
@Suite("The cursor on the full screen", .timeLimit(.minutes(5)))
struct CursorTests {
  /// Returns the text at the cursor.
  private func text(at display: inout Display, _ columns: Int = 80, _ rows: Int = 24) -> String {
    let frame = display.draw(in: Size(columns: columns, rows: rows))
    guard let cursor = frame.cursor else { return "nowhere" }
    return frame.row(cursor.row).dropFirst(cursor.column).map(\.text).joined().trimmingSpaces
  }

  @Test("The cursor is on the focused choice of a menu, button, or row of a list")
  func cursorIsOnTheFocusedChoice() {
    var menu = Display.showing(Samples.menu)
    #expect(text(at: &menu) == "❯ 1 A check-up")
    menu.press(.down)
    #expect(text(at: &menu) == "❯ 2 My pet is sick")
    var message = Display.showing(Samples.long)
    #expect(text(at: &message).hasPrefix("[ Accept ]"))
    message.press(.tab)
    #expect(text(at: &message) == "[! Delete my account ]")
    var list = Display.showing(Samples.numbers)
    list.press(.down)
    #expect(text(at: &list).hasPrefix("❯ Number 2"))
    list.press(.end)
    #expect(text(at: &list).hasPrefix("❯ Number 1000"))
    for display in [menu, message, list] { #expect(!display.frame.isCursorVisible) }
  }

  @Test("The cursor is where text is typed, in a field and in the filter of a list")
  func cursorIsWhereTextIsTyped() {
    var form = Display.showing(Samples.logIn)
    form.type("jo")
    let frame = form.draw(in: Size(columns: 80, rows: 24))
    #expect(frame.isCursorVisible)
    #expect(frame.cursor.map { frame.row($0.row).prefix($0.column).map(\.text).joined() } == "  ┃ jo")
    var list = Display.showing(Samples.numbers)
    list.type("99")
    #expect(list.draw(in: Size(columns: 80, rows: 24)).isCursorVisible)
    list.press(.down)
    #expect(text(at: &list).hasPrefix("❯ Number 990"))
  }

  @Test("The cursor is on the focused checkbox or choice of a field")
  func cursorIsOnBoxesAndChoicesOfAField() {
    var display = Display.showing(Samples.everything)
    display.press(.tab, .tab, .tab)
    #expect(text(at: &display, 60, 40).hasPrefix("[ ] Send me news"))
    display.press(.tab, .down)
    #expect(text(at: &display, 60, 40).hasPrefix("❯ ○ Shuffled"))
  }

  @Test("The cursor is on the title if nothing has the focus, and on a question that covers the screen")
  func cursorIsOnTheTitleOrTheQuestion() {
    var busy = Display.showing(Samples.busy)
    #expect(text(at: &busy) == "Log in")
    var asked = Display.showing(Samples.answered)
    asked.press(.escape)
    #expect(text(at: &asked).hasPrefix("[ Stay ]"))
  }

  @Test("A group of choices is shown whole if there is room, and otherwise its focused choice")
  func groupOfChoicesIsScrolledIntoView() {
    let sizes = (1...30).map { ("\($0)", Text(verbatim: "Size \($0)")) }
    func form(_ count: Int) -> Screen {
      Screen(
        "order", kind: .form, title: "Order", actions: [.primary("send", "Send")],
        form: Form(
          Field("name", .string(title: "Name")), Field("street", .string(title: "Street")),
          Field("size", .choice(title: "Size", Array(sizes.prefix(count))))))
    }
    var display = Display.showing(form(4))
    display.press(.tab, .tab)
    let shown = display.text(40, 12)
    for line in ["Size", "❯ ○ Size 1", "○ Size 4"] { #expect(shown.contains(line), "\(shown)") }
    var long = Display.showing(form(30))
    _ = long.draw(in: Size(columns: 40, rows: 12))
    long.press(.tab, .tab)
    #expect(long.text(40, 12).contains("┃ Size"))
    #expect(long.text(40, 12).contains("○ Size 5"))
    for number in 2...30 {
      long.press(.down)
      #expect(long.text(40, 12).contains("❯ ○ Size \(number)"), "\(number)")
    }
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
