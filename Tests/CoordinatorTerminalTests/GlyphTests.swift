import CNCurses
import Glibc
import Testing

@testable import CoordinatorTerminal

@Suite("The width of text")
struct GlyphTests {
  @Test("is what the C library says, for every scalar that it knows")
  func sameAsC() throws {
    let locale = try #require(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
    let former = uselocale(locale)
    defer {
      uselocale(former)
      freelocale(locale)
    }
    // Unicode has thought better of a vowel sign of Ahom meanwhile.
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
    "counts characters as they are drawn",
    arguments: [
      ("e", 1), ("é", 1), ("e\u{301}", 1), ("水", 2), ("각", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("👩‍👩‍👧", 2), ("❤\u{FE0F}", 1),
      ("\u{200B}", 0), ("\n", 0), ("\u{1B}", 0), ("ｱ", 1), ("Ａ", 2),
    ])
  func characters(text: String, columns: Int) { #expect(text.columns == columns) }

  @Test("draws only the first part of what is joined, and at most four marks")
  func parts() {
    #expect(Glyph("👩‍👩‍👧").text == "👩")
    #expect(Glyph("❤\u{FE0F}").text == "❤")
    #expect(Glyph("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}").text.unicodeScalars.count == 5)
  }
}

@Suite("Text in lines")
struct TextWrapTests {
  @Test("is broken between words, and within those that are too long")
  func words() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("one  two".wrapped(to: 3) == ["one", "two"])
    #expect("abcdefgh ij".wrapped(to: 3) == ["abc", "def", "gh", "ij"])
    #expect("a\n\nb".wrapped(to: 9) == ["a", "", "b"])
    #expect("  indented text".wrapped(to: 10) == ["  indented", "text"])
    #expect("".wrapped(to: 5) == [""])
  }

  @Test("may be broken anywhere between wide characters")
  func wide() {
    #expect("日本人水".wrapped(to: 5) == ["日本", "人水"])
    #expect("日本".wrapped(to: 1) == ["日", "本"])
  }

  @Test("is shortened with an ellipsis")
  func truncated() {
    #expect("one two".truncated(to: 7, ellipsis: "…") == "one two")
    #expect("one two".truncated(to: 5, ellipsis: "…") == "one…")
    #expect("日本人".truncated(to: 4, ellipsis: "…") == "日…")
    #expect("one".truncated(to: 0, ellipsis: "…") == "")
  }
}

@Suite("A frame")
struct FrameTests {
  private let size = Size(columns: 6, rows: 1)

  @Test("never holds half a character")
  func halves() {
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

  @Test("cuts off what is outside an area, also half a character")
  func clipped() {
    var frame = Frame(size)
    frame.write("日本人", column: 0, row: 0, within: Area(column: 0, row: 0, columns: 3, rows: 1))
    #expect(frame.lines == ["日"])
    frame.write("x", column: 0, row: 5, within: Area(Size(columns: 6, rows: 9)))
    #expect(frame.lines == ["日"])
  }

  @Test("knows what a click hits, except in the background")
  func targets() {
    var frame = Frame(size)
    frame.write(Line("ok", target: .action(2)), column: 1, row: 0, within: Area(size))
    #expect(frame.target(at: Position(column: 2, row: 0)) == .action(2))
    #expect(frame.target(at: Position(column: 0, row: 0)) == nil)
    #expect(frame.target(at: Position(column: 99, row: 99)) == nil)
    frame.recede()
    #expect(frame.target(at: Position(column: 2, row: 0)) == nil)
  }
}
