import Testing

@testable import CoordinatorKeeper

@Suite(.timeLimit(.minutes(1))) struct OutputTailTests {
  private func lines(_ text: String, _ count: Int = 24) -> [String] {
    var tail = OutputTail()
    tail.append(Array(text.utf8))
    return tail.lines(count)
  }

  @Test(arguments: [
    ("one\r\ntwo\r\n\r\n", ["one", "two"]),
    ("10%\r50%\r100%\r\nend", ["100%", "end"]),
    ("old\r\u{1B}[Knew", ["new"]),
    ("a\u{1B}[1;31mred\u{1B}[0m\u{1B}]0;title\u{07}b", ["aredb"]),
    ("above\n\u{1B}[H\u{1B}[2Jbelow", ["below"]),
    ("above\n\u{1B}[H\u{1B}[Jbelow", ["below"]),
    ("typo\u{08}es", ["typoes".replacing("typo", with: "typ")]),
    ("\u{1B}(Bplain\u{1B}P1;2;3q\u{1B}\\", ["plain"]),
    ("a\u{202E}b\u{9B}c", ["a<U+202E>b<U+009B>c"]),
    ("", []),
    ("\n\n", []),
  ])
  func `Lines are shown as a terminal shows them, and nothing in them is obeyed`(text: String, shown: [String]) {
    #expect(lines(text) == shown)
  }

  @Test func `Only the last lines are shown, and no line is longer than a limit`() {
    #expect(lines("1\n2\n3\n4\n", 2) == ["3", "4"])
    #expect(lines(String(repeating: "x", count: 5_000)).map(\.count) == [TerminalLines.width + 1])
  }

  @Test(arguments: [
    ("1\n2\n3\n4\n", 4, false), ("1\n2\n3\n4\n", 3, true), ("", 1, false),
    (String(repeating: "a line\n", count: 10_000), 24, true),
    // Overwritten progress and an erased screen do not count as lines.
    (String(repeating: "\r50%", count: 10_000) + "\r100%\n", 24, false),
    (String(repeating: "a line\n", count: 10_000) + "\u{1B}[H\u{1B}[2Jend\n", 24, false),
  ])
  func `Whether the program has written more than is shown is known`(text: String, count: Int, isCut: Bool) {
    var tail = OutputTail()
    tail.append(Array(text.utf8))
    #expect(tail.hasMore(than: count) == isCut)
  }

  @Test func `The last 64 KiB are kept`() {
    var tail = OutputTail()
    for number in 0..<300 { tail.append([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1_000)) }
    #expect(tail.bytes.count == OutputTail.limit)
    #expect(tail.bytes.last == UInt8(truncatingIfNeeded: 299))
    tail.append([UInt8](repeating: 7, count: 1 << 20))
    #expect(tail.bytes.count == OutputTail.limit)
  }
}
