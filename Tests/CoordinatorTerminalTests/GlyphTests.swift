import Glibc
import Testing

@testable import CoordinatorTerminal

@Suite("The width of text", .timeLimit(.minutes(5)))
struct GlyphTests {
  @Test(
    "The width of a scalar is the one that the C library's UTF-8 locale knows, whatever the locale of the process is",
    arguments: [
      ("A", 1), ("\u{301}", 0), ("水", 2), ("각", 2), ("\u{1100}", 2), ("\u{1161}", 0), ("ｱ", 1), ("Ａ", 2), ("😀", 2), ("❤", 1),
      ("\u{200B}", 0), ("\u{200D}", 0), ("\u{FE0F}", 0), ("\u{2028}", 0), ("\u{600}", 1), ("\u{E000}", 1), ("\u{378}", 1),
      ("\u{10FFFF}", 1),
    ] as [(Unicode.Scalar, Int)])
  func widthIsTheOneOfTheCLibrary(scalar: Unicode.Scalar, columns: Int) throws {
    // Without this locale, the widths would depend on the environment.
    let locale = try #require(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
    freelocale(locale)
    let former = uselocale(nil)
    #expect(scalar.columns == columns)
    #expect(uselocale(nil) == former)
  }

  @Test("Every scalar occupies no, one or two columns")
  func everyScalarHasAWidth() {
    let strange = (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init).filter { !(0...2).contains($0.columns) }
    #expect(Array(strange.prefix(20)) == [])
  }

  @Test(
    "The width of a string counts its characters as they are drawn",
    arguments: [
      ("e", 1), ("é", 1), ("e\u{301}", 1), ("水", 2), ("각", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("👩‍👩‍👧", 2), ("🇯🇵", 2),
      ("❤\u{FE0F}", 1),
      ("\u{200B}", 0), ("\n", 0), ("\u{1B}", 0), ("ｱ", 1), ("Ａ", 2),
    ])
  func widthCountsCharactersAsDrawn(text: String, columns: Int) { #expect(text.columns == columns) }

  @Test("Of a joined character only the first part is drawn, and at most four combining marks")
  func joinedCharactersAreDrawnInPart() {
    #expect(Glyph("👩‍👩‍👧").text == "👩")
    #expect(Glyph("❤\u{FE0F}").text == "❤")
    #expect(Glyph("🇯🇵").text == "🇯🇵")
    #expect(Glyph("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}").text.unicodeScalars.count == 5)
  }
}

@Suite("The wrapping of text", .timeLimit(.minutes(5)))
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

  @Test("Punctuation that closes never begins a line, and punctuation that opens never ends one")
  func linesAreBrokenAsInJapanese() {
    #expect("日本人。水".wrapped(to: 6) == ["日本", "人。水"])
    #expect("日本「人」水".wrapped(to: 6) == ["日本", "「人」", "水"])
    #expect("日本、人".wrapped(to: 4) == ["日", "本、", "人"])
    #expect("。。。。".wrapped(to: 4) == ["。。", "。。"])
    #expect("ok日本。".wrapped(to: 6) == ["ok日", "本。"])
  }

  @Test("Text is truncated with an ellipsis")
  func textIsTruncatedWithAnEllipsis() {
    #expect("one two".truncated(to: 7, ellipsis: "…") == "one two")
    #expect("one two".truncated(to: 5, ellipsis: "…") == "one…")
    #expect("日本人".truncated(to: 4, ellipsis: "…") == "日…")
    #expect("one".truncated(to: 0, ellipsis: "…") == "")
  }
}

@Suite("Frames", .timeLimit(.minutes(5)))
struct FrameTests {
  @Test("Only the rows whose letters or looks have changed are drawn again")
  func rowsThatDifferAreFound() {
    var before = Frame(Size(columns: 12, rows: 4))
    let area = Area(column: 0, row: 0, columns: 12, rows: 4)
    before.write(Line("one"), column: 0, row: 0, within: area)
    before.write(Line("two"), column: 0, row: 2, within: area)
    #expect(before.rowsThatDiffer(from: before) == [])
    var after = before
    after.write(Line("tww"), column: 0, row: 2, within: area)
    after.write(Line("one", Look(.bold)), column: 0, row: 0, within: area)
    #expect(after.rowsThatDiffer(from: before) == [0, 2])
  }

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
