import Forms
import ProgramQuestions
import Testing

/// Texts that other programs wrote.
@Suite("Texts of other programs", .timeLimit(.minutes(1)))
struct ForeignTextTests {
  @Test("Control characters, escape sequences and bidirectional overrides are shown, not obeyed")
  func controls() {
    #expect(ForeignText("\u{1B}[2Ja\u{7}\u{0}\u{7F}").text == "␛[2Ja␇␀␡")
    #expect(
      ForeignText("a\u{9B}31m\u{202E}gpj.exe\u{2066}\u{2028}\u{E0041}").text
        == "a<U+009B>31m<U+202E>gpj.exe<U+2066><U+2028><U+E0041>")
    #expect(ForeignText("שלום \u{200F}\u{200E} \u{200D} é <b>&amp;").text == "שלום \u{200F}\u{200E} \u{200D} é <b>&amp;")
  }

  @Test("No text of random scalars has anything left that a terminal obeys", arguments: 0..<20)
  func random(seed: UInt64) {
    var state = seed
    var scalars = String.UnicodeScalarView()
    for _ in 0..<2000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let range: UInt32 = state >> 60 < 8 ? 0x100 : 0x2100
      if let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: state >> 32) % range) { scalars.append(scalar) }
    }
    for scalar in ForeignText(String(scalars)).text.unicodeScalars where scalar != "\n" && scalar != "\t" {
      #expect(scalar.properties.generalCategory != .control, "seed \(seed)")
      #expect(!(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value), "seed \(seed)")
    }
    #expect(!ForeignText(String(scalars)).line.contains { $0.isNewline || $0 == "\t" })
  }

  @Test("Lines end with LF or CR LF; a carriage return alone is shown")
  func lines() {
    #expect(ForeignText("a\r\nb\n\nc\rd").lines == ["a", "b", "", "c␍d"])
    #expect(ForeignText(" \ta\r\nb\t ").line == "a b")
    #expect(ForeignText("  ").line == "")
  }

  @Test("Long texts are cut, and what is not UTF-8 is replaced")
  func limits() {
    #expect(ForeignText("abcdef", limit: 3).text == "abc…")
    #expect(ForeignText("abc", limit: 3).text == "abc")
    #expect(ForeignText(bytes: [0x61, 0xFF, 0xC3]).text == "a��")
  }

  @Test("Paragraphs, bullets and verbatim lines are distinguished")
  func prose() {
    let prose = ForeignProse(
      "One line.\n\nBecause:\n  * first\n    goes on\n  - second\nAfter.\n\n  code\n    more\n\n--- a\n+++ b\n c\n")
    #expect(
      prose.blocks == [
        .init(.paragraph, "One line."), .init(.paragraph, "Because:"), .init(.bullet, "first goes on"), .init(.bullet, "second"),
        .init(.paragraph, "After."), .init(.verbatim, "  code\n    more"), .init(.verbatim, "--- a\n+++ b\n c"),
      ])
    #expect(prose.plain.hasPrefix("One line.\n\nBecause:\n\n- first goes on\n- second\n\nAfter."))
    #expect(ForeignProse(" \n\n").blocks.isEmpty)
  }

  @Test("A line that is too long is cut, and counts as one")
  func lineBuffer() {
    var buffer = LineBuffer(limit: 4)
    buffer.append("abcdefgh\nij\nk".utf8)
    #expect(buffer.popLine() == Array("abcd".utf8))
    #expect(buffer.popLine() == Array("ij".utf8))
    #expect(buffer.popLine() == nil)
    #expect(buffer.rest == Array("k".utf8))
    buffer.append([0x0A])
    #expect(buffer.popLine() == Array("k".utf8))
  }
}
