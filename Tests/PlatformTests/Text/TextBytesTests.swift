import TestBus
import Testing

@testable import Platform

@Suite("Text for machines", .timeLimit(.minutes(5)))
struct TextBytesTests {
  @Test("A sign is found whatever mark follows it", arguments: HostileText.extenders)
  func signsAreFoundBeforeMarks(mark: String) throws {
    let text = "key=\(mark)a'\(mark)b;\(mark)c\n\(mark)d"
    #expect(text.bytes.contains("'") && text.bytes.contains(";") && text.bytes.contains("\n"))
    let (key, value) = try #require(text.bytes.cut(at: "="))
    #expect(key == "key" && value.bytes.equals("\(mark)a'\(mark)b;\(mark)c\n\(mark)d"))
    #expect(text.bytes.split(separator: ";").count == 2)
    #expect(("-" + mark + "x").bytes.hasPrefix("-") && ("x/" + mark).bytes.firstIndex(of: "/") != nil)
    #expect(("@" + mark).bytes.dropping(prefix: "@")?.bytes.equals(mark) == true)
    // The functions of the standard library find none of these, so they are not used.
    #expect(mark == "\u{E0020}" || !text.contains("'" as Character) || mark == "\u{1F3FB}")
  }

  @Test(
    "What only looks the same is not the same",
    arguments: [("\u{37E}", ";"), ("\u{1FEF}", "`"), ("\u{212A}", "K"), ("e\u{301}", "é")])
  func lookalikesDiffer(one: String, other: String) {
    #expect(one == other, "Swift's strings are equal")
    #expect(!one.bytes.equals(other) && one.bytes != other.bytes && !one.bytes.hasPrefix(other) && !one.bytes.hasSuffix(other))
    #expect("a\(one)b".bytes.split(separator: other).count == 1)
    #expect(Set([one.bytes, other.bytes]).count == 2)
  }

  @Test("Texts are cut as those of the standard library are, where letters are ASCII")
  func asciiIsCutAlike() {
    for text in ["", ",", "a", "a,", ",a", "a,,b", "a,b,c,", ",,"] {
      for omits in [false, true] {
        for most in [0, 1, 2, Int.max] {
          #expect(
            text.bytes.split(separator: ",", maxSplits: most, omittingEmptySubsequences: omits)
              == text.split(separator: ",", maxSplits: most, omittingEmptySubsequences: omits), "\(text) \(omits) \(most)")
        }
      }
    }
    #expect("a--b--c".bytes.split(separator: "--") == ["a", "b", "c"])
    #expect("a=b=c".bytes.cutLast(at: "=").map { [$0.before, $0.after] } == ["a=b", "c"])
    #expect("abc".bytes.cut(at: "") == nil && "abc".bytes.cutLast(at: "d") == nil)
    #expect("aXbX".bytes.replacing("X", with: "''") == "a''b''")
    #expect(
      " \t a b \r\n".bytes.trimmed == "a b" && "\u{A0}a".bytes.trimmed == "\u{A0}a" && "a  b\tc".bytes.words == ["a", "b", "c"])
    #expect("Ä-K".bytes.lowercased == "Ä-k" && "\u{212A}".bytes.lowercased == "\u{212A}" && "ß".bytes.uppercased == "ß")
  }

  @Test("Parts and separators are the text again", arguments: [UInt64.random(in: 0 ... .max)])
  func partsMakeTheText(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for text in HostileText.combinations + HostileText.random(300, using: &generator) {
      for separator in ["'", "=", "\n", "\r\n", "/"] {
        let parts = text.bytes.split(separator: separator, omittingEmptySubsequences: false)
        #expect(parts.joined(separator: separator).bytes.equals(text), "seed \(seed)")
        #expect(parts.allSatisfy { !$0.bytes.contains(separator) }, "seed \(seed)")
      }
    }
  }
}
