import Testing

@testable import CoordinatorTerminal

@Suite("A line that is typed")
struct TextEditorTests {
  private func typed(_ text: String, _ keys: Key..., isSecret: Bool = false) -> TextEditor {
    var editor = TextEditor(text, isSecret: isSecret)
    for key in keys {
      let isTaken = editor.handle(key)
      #expect(isTaken, "\(key)")
    }
    return editor
  }

  @Test("takes letters where the cursor is")
  func insert() {
    #expect(typed("ac", .left, .character("b")).text == "abc")
    #expect(typed("", .character("日")).cursor == 1)
    #expect(typed("e", .character("\u{301}")).characters == ["e\u{301}"])
    #expect(typed("", .character("\u{301}"), .character("\u{202E}")).isEmpty)
    #expect(typed("x", .paste("a\nb\tc")).text == "xa b c")
    #expect(typed("x", .paste("\u{1B}[31m")).text == "x[31m")
  }

  @Test("deletes letters, words, and everything on one side")
  func delete() {
    #expect(typed("abc", .backspace).text == "ab")
    #expect(typed("abc", .home, .delete).text == "bc")
    #expect(typed("", .backspace, .delete).text == "")
    #expect(typed("one two", .control("w")).text == "one ")
    #expect(typed("one two", .control("u")).text == "")
    #expect(typed("one two", .home, .wordRight, .control("k")).text == "one")
  }

  @Test("moves by letters and words, and stops at the ends")
  func move() {
    #expect(typed("ab", .home, .left).cursor == 0)
    #expect(typed("ab", .right).cursor == 2)
    #expect(typed("one two", .wordLeft).cursor == 4)
    #expect(typed("one two", .control("a"), .control("e")).cursor == 7)
  }

  @Test("selects with Shift; what is typed takes the place of what is selected")
  func select() {
    #expect(typed("abcd", .selectLeft, .selectLeft).selection == 2..<4)
    #expect(typed("abcd", .selectLeft, .selectLeft, .character("x")).text == "abx")
    #expect(typed("abcd", .selectHome, .backspace).text == "")
    #expect(typed("abcd", .selectLeft, .left).selection.isEmpty)
    #expect(typed("abcd", .home, .selectRight, .control("x"), .end, .control("y")).text == "bcda")
  }

  @Test("gives no part of a secret away: not by cutting, not by its words")
  func secret() {
    #expect(typed("open sesame", .control("u"), .control("y"), isSecret: true).text == "")
    #expect(typed("open sesame", .wordLeft, isSecret: true).cursor == 0)
    #expect(typed("open sesame", isSecret: true).window(columns: 20, mask: "•").before == String(repeating: "•", count: 11))
  }

  @Test("shows the part around the cursor that fits")
  func window() {
    #expect(typed("abcdef").window(columns: 4, mask: "").before == "def")
    #expect(typed("abcdef").window(columns: 4, mask: "").cursor == 3)
    let begin = typed("abcdef", .home).window(columns: 4, mask: "")
    #expect(begin.after == "abcd" && begin.cursor == 0)
    #expect(typed("日本人").window(columns: 4, mask: "").before == "人")
    let selected = typed("abcdef", .selectLeft, .selectLeft).window(columns: 10, mask: "")
    #expect(selected.before == "abcd" && selected.selected == "ef" && selected.cursor == 4)
    #expect(typed("日").window(columns: 0, mask: "").cursor == 0)
  }

  @Test("takes no more than there may be")
  func bound() {
    #expect(typed("", .paste(String(repeating: "x", count: TextEditor.longest + 10))).characters.count == TextEditor.longest)
  }
}
