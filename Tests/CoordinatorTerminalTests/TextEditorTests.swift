import Testing

@testable import CoordinatorTerminal

@Suite("The line editor", .timeLimit(.minutes(5)))
struct TextEditorTests {
  private func typed(_ text: String, _ keys: Key..., isSecret: Bool = false) -> TextEditor {
    var editor = TextEditor(text, isSecret: isSecret)
    for key in keys {
      let isTaken = editor.handle(key)
      #expect(isTaken, "\(key)")
    }
    return editor
  }

  @Test("Text is inserted at the cursor, without control characters")
  func textIsInsertedAtTheCursor() {
    #expect(typed("ac", .left, .character("b")).text == "abc")
    #expect(typed("", .character("日")).cursor == 1)
    #expect(typed("e", .character("\u{301}")).characters == ["e\u{301}"])
    #expect(typed("", .character("\u{301}"), .character("\u{202E}")).isEmpty)
    #expect(typed("x", .paste("a\nb\tc")).text == "xa b c")
    #expect(typed("x", .paste("\u{1B}[31m")).text == "x[31m")
  }

  @Test("Letters, words and everything on one side of the cursor can be deleted")
  func textIsDeletedAroundTheCursor() {
    #expect(typed("abc", .backspace).text == "ab")
    #expect(typed("abc", .home, .delete).text == "bc")
    #expect(typed("", .backspace, .delete).text == "")
    #expect(typed("one two", .control("w")).text == "one ")
    #expect(typed("one two", .control("u")).text == "")
    #expect(typed("one two", .home, .wordRight, .control("k")).text == "one")
  }

  @Test("The cursor moves by letters and words, and stops at the ends")
  func cursorMovesByLettersAndWords() {
    #expect(typed("ab", .home, .left).cursor == 0)
    #expect(typed("ab", .right).cursor == 2)
    #expect(typed("one two", .wordLeft).cursor == 4)
    #expect(typed("one two", .control("a"), .control("e")).cursor == 7)
  }

  @Test("Shift selects text, which typing replaces")
  func shiftSelectsTextToReplace() {
    #expect(typed("abcd", .selectLeft, .selectLeft).selection == 2..<4)
    #expect(typed("abcd", .selectLeft, .selectLeft, .character("x")).text == "abx")
    #expect(typed("abcd", .selectHome, .backspace).text == "")
    #expect(typed("abcd", .selectLeft, .left).selection.isEmpty)
    #expect(typed("abcd", .home, .selectRight, .control("x"), .end, .control("y")).text == "bcda")
  }

  @Test("Neither cutting nor moving by words reveals a part of a typed secret")
  func secretIsNotRevealedByEditing() {
    #expect(typed("open sesame", .control("u"), .control("y"), isSecret: true).text == "")
    #expect(typed("open sesame", .wordLeft, isSecret: true).cursor == 0)
    #expect(typed("open sesame", isSecret: true).window(columns: 20, mask: "•").before == String(repeating: "•", count: 11))
  }

  @Test("The visible part of a typed line is the one around the cursor")
  func visiblePartIsAroundTheCursor() {
    #expect(typed("abcdef").window(columns: 4, mask: "").before == "def")
    #expect(typed("abcdef").window(columns: 4, mask: "").cursor == 3)
    let begin = typed("abcdef", .home).window(columns: 4, mask: "")
    #expect(begin.after == "abcd" && begin.cursor == 0)
    #expect(typed("日本人").window(columns: 4, mask: "").before == "人")
    let selected = typed("abcdef", .selectLeft, .selectLeft).window(columns: 10, mask: "")
    #expect(selected.before == "abcd" && selected.selected == "ef" && selected.cursor == 4)
    #expect(typed("日").window(columns: 0, mask: "").cursor == 0)
  }

  @Test("The length of a typed text is limited")
  func lengthOfTheTextIsLimited() {
    let longest = String(repeating: "x", count: TextEditor.longest)
    #expect(!typed("", .paste(longest)).isFull)
    #expect(typed("", .paste(longest)).characters.count == TextEditor.longest)
    // A part of what was pasted would look like all of it.
    let refused = typed("a", .paste(longest))
    #expect(refused.isFull && refused.text == "a")
    #expect(!typed("a", .paste(longest), .character("b")).isFull)
  }

  @Test("A pasted line break is one line break, however its lines end")
  func pastedLineBreakIsOne() {
    for text in ["a\nb", "a\r\nb", "a\rb"] {
      var editor = TextEditor(hasLines: true)
      let isTaken = editor.handle(.paste(text))
      #expect(isTaken && editor.text == "a\nb" && editor.characters.count == 3)
      #expect(typed("", .paste(text)).text == "a b")
      // Terminals paste the line breaks of other systems as two.
      #expect(typed("", .paste(text + "\r\r" + text + "\n")).text == "a b a b")
    }
  }
}
