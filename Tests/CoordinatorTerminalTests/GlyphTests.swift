import CNCurses
import Glibc
import Testing

@testable import CoordinatorTerminal

@Suite("The width of text", .timeLimit(.minutes(1)))
struct GlyphTests {
  @Test("The width of every scalar is the one that the C library knows")
  func widthMatchesTheCLibrary() throws {
    let locale = try #require(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
    let former = uselocale(locale)
    defer {
      uselocale(former)
      freelocale(locale)
    }
    // Unicode has since changed the width of a vowel sign of Ahom.
    let changed: Set<UInt32> = [0x1171E]
    var wrong: [String] = []
    for value in UInt32(0x20)...0x3FFFD {
      guard let scalar = Unicode.Scalar(value), !changed.contains(value) else { continue }
      let known = Int(wcwidth(wchar_t(bitPattern: value)))
      if known >= 0, known != scalar.columns { wrong.append("U+\(String(value, radix: 16)): \(scalar.columns), not \(known)") }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(20))")
  }

  @Test(
    "The width of a string counts its characters as they are drawn",
    arguments: [
      ("e", 1), ("é", 1), ("e\u{301}", 1), ("水", 2), ("각", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("👩‍👩‍👧", 2), ("❤\u{FE0F}", 1),
      ("\u{200B}", 0), ("\n", 0), ("\u{1B}", 0), ("ｱ", 1), ("Ａ", 2),
    ])
  func widthCountsCharactersAsDrawn(text: String, columns: Int) { #expect(text.columns == columns) }

  @Test("Of a joined character only the first part is drawn, and at most four combining marks")
  func joinedCharactersAreDrawnInPart() {
    #expect(Glyph("👩‍👩‍👧").text == "👩")
    #expect(Glyph("❤\u{FE0F}").text == "❤")
    #expect(Glyph("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}").text.unicodeScalars.count == 5)
  }
}

@Suite("The wrapping of text", .timeLimit(.minutes(1)))
struct TextWrapTests {
  @Test("Text is broken between words, and within words that are too long")
  func textIsBrokenBetweenWords() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("one  two".wrapped(to: 3) == ["one", "two"])
    #expect("abcdefgh ij".wrapped(to: 3) == ["abc", "def", "gh", "ij"])
    #expect("a\n\nb".wrapped(to: 9) == ["a", "", "b"])
    #expect("  indented text".wrapped(to: 10) == ["  indented", "text"])
    #expect("".wrapped(to: 5) == [""])
  }

  @Test("Text may be broken between any two wide characters")
  func textIsBrokenBetweenWideCharacters() {
    #expect("日本人水".wrapped(to: 5) == ["日本", "人水"])
    #expect("日本".wrapped(to: 1) == ["日", "本"])
  }

  @Test("Text is truncated with an ellipsis")
  func textIsTruncatedWithAnEllipsis() {
    #expect("one two".truncated(to: 7, ellipsis: "…") == "one two")
    #expect("one two".truncated(to: 5, ellipsis: "…") == "one…")
    #expect("日本人".truncated(to: 4, ellipsis: "…") == "日…")
    #expect("one".truncated(to: 0, ellipsis: "…") == "")
  }
}

@Suite("Frames", .timeLimit(.minutes(1)))
struct FrameTests {
  private let size = Size(columns: 6, rows: 1)

  @Test("A frame never holds half of a wide character")
  func frameHoldsNoHalfCharacter() {
    var frame = Frame(size)
    let area = Area(size)
    frame.write("日本人", column: 0, row: 0, within: area)
    #expect(frame.lines == ["日本人"])
    frame.write("x", column: 1, row: 0, within: area)
    #expect(frame.lines == [" x本人"])
    frame.write("水", column: 3, row: 0, within: area)
    #expect(frame.lines == [" x 水"])
    #expect(frame.row(0).map(\.text) == [" ", "x", " ", "水", "", " "])
  }

  @Test("A frame clips what is outside of an area, even half a character")
  func frameClipsOutsideTheArea() {
    var frame = Frame(size)
    frame.write("日本人", column: 0, row: 0, within: Area(column: 0, row: 0, columns: 3, rows: 1))
    #expect(frame.lines == ["日"])
    frame.write("x", column: 0, row: 5, within: Area(Size(columns: 6, rows: 9)))
    #expect(frame.lines == ["日"])
  }

  @Test("A frame knows the target of a click, except in the background")
  func frameKnowsItsClickTargets() {
    var frame = Frame(size)
    frame.write(Line("ok", target: .action(2)), column: 1, row: 0, within: Area(size))
    #expect(frame.target(at: Position(column: 2, row: 0)) == .action(2))
    #expect(frame.target(at: Position(column: 0, row: 0)) == nil)
    #expect(frame.target(at: Position(column: 99, row: 99)) == nil)
    frame.recede()
    #expect(frame.target(at: Position(column: 2, row: 0)) == nil)
  }
}
