import CoordinatorBus
import CoordinatorKit
import Testing

@testable import CoordinatorTerminal

@Suite("A text field with several rows", .timeLimit(.minutes(5)))
struct LongTextTests {
  private static let report = Screen(
    "report", kind: .form, title: "Report", actions: [.primary("send", "Send")],
    form: Form(Field("what", .string(title: "What happened?", length: 0...2000)), Field("who", .string(title: "Who?"))))

  private func rows(_ text: String, _ columns: Int) -> [String] {
    let editor = TextEditor(text, hasLines: true)
    return editor.rows(columns: columns).map { String(editor.characters[$0]) }
  }

  @Test("A long text is wrapped after spaces, within long words, and at line breaks")
  func longTextIsWrapped() {
    #expect(rows("", 5) == [""])
    #expect(rows("one two three", 7) == ["one two ", "three"])
    #expect(rows("abcdefgh", 3) == ["abc", "def", "gh"])
    #expect(rows("a\n\nb\n", 9) == ["a", "", "b", ""])
    #expect(rows("日本語", 4) == ["日本", "語"])
    #expect(rows("abc      ", 3) == ["abc      "])
  }

  @Test("A long text is shown whole instead of in one scrolling line")
  func longTextIsShownWhole() {
    var display = Display.showing(Self.report)
    display.type("I was walking along the river when a very large goose came up to me and took my sandwich.")
    let text = display.text(40, 24)
    #expect(text.contains("┃ I was walking along the river when"))
    #expect(text.contains("┃ and took my sandwich."))
    #expect(
      display.frame.cursor.map { display.frame.row($0.row).prefix($0.column).map(\.text).joined() } == " ┃ and took my sandwich.")
    #expect(display.press(.enter).isEmpty)
    display.type("me")
    #expect(
      display.press(.enter).delegation?.payload == [
        "what": "I was walking along the river when a very large goose came up to me and took my sandwich.", "who": "me",
      ])
  }

  @Test("Line breaks can be typed and pasted, but not into a field of one line", arguments: [Key.newline, .control("o")])
  func lineBreaksAreTyped(key: Key) {
    var display = Display.showing(Self.report)
    display.type("a")
    display.press(key)
    display.type("b")
    display.press(.paste("\nc\td"))
    #expect(display.views[1]?.draft["what"] == "a\nb\nc d")
    display.press(.tab, .paste("x\ny"), key)
    #expect(display.views[1]?.draft["who"] == "x y")
  }

  @Test("Arrow keys move by rows, and leave the field at its ends")
  func arrowsMoveByRows() {
    var display = Display.showing(Self.report)
    display.press(.paste("first\nab\nthird"))
    display.press(.up)
    display.type("-")
    display.press(.up)
    display.type("+")
    #expect(display.views[1]?.draft["what"] == "fir+st\nab-\nthird")
    display.press(.down, .down)
    #expect(display.views[1]?.stop == .field(0))
    display.press(.down)
    #expect(display.views[1]?.stop == .field(1))
    display.press(.up)
    #expect(display.views[1]?.stop == .field(0))
  }

  @Test("The row with the cursor stays in view, however long the text is")
  func cursorRowStaysInView() {
    var display = Display.showing(Self.report)
    display.press(.paste((1...60).map { "line \($0)" }.joined(separator: "\n")))
    #expect(display.text(40, 12).contains("line 60"))
    display.press(.home)
    #expect(display.text(40, 12).contains("┃ line 1\n"))
  }

  @Test("A field for a list explains how to write several values")
  func listFieldExplainsItsSyntax() {
    var display = Display.showing(Samples.everything)
    #expect(display.text(60, 40).contains("Separate multiple values with commas."))
  }
}
