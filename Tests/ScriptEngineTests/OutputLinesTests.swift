import Testing

@testable import CoordinatorScripts

/// The output of a script, on its way to the log.
@Suite("The lines of a script", .timeLimit(.minutes(1)))
struct OutputLinesTests {
  private let start = ContinuousClock.now

  private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

  @Test("Lines pass as they are, also in pieces and without an end")
  func linesPass() {
    var lines = OutputLines(at: start)
    #expect(lines.take(bytes("one\ntw"), at: start) == ["one"])
    #expect(lines.take(bytes("o\n\nthr"), at: start) == ["two", ""])
    #expect(lines.lastLine == "two")
    #expect(lines.end() == ["thr"])
    #expect(lines.lastLine == "thr")
  }

  @Test("Of a flood of lines, some pass, the rest is counted, and the last ones pass at the end")
  func floodIsCounted() {
    var lines = OutputLines(at: start)
    var passed: [String] = []
    let flood = bytes(String(repeating: "\n", count: 10_000))
    for _ in 0..<100 { passed += lines.take(flood, at: start) }
    passed += lines.take(bytes("no disk\n"), at: start)
    #expect(passed.count == Int(OutputLines.burst))
    let end = lines.end()
    let left = 1_000_001 - Int(OutputLines.burst) - OutputLines.last
    #expect(end.first == "(\(left) lines with 0 bytes were left out here: the log takes 20 lines a second)")
    #expect(end.count == 1 + OutputLines.last && end.last == "no disk")
    #expect(lines.lastLine == "no disk")
  }

  @Test("After a flood, lines pass again, and the first of them says how many were left out")
  func floodEnds() {
    var lines = OutputLines(at: start)
    _ = lines.take(bytes(String(repeating: "x\n", count: 1_500)), at: start)
    #expect(lines.take(bytes("a\n"), at: start + .milliseconds(500)).isEmpty, "not every second line is a notice")
    let later = lines.take(bytes("b\n"), at: start + .seconds(2))
    #expect(later == ["(501 lines with 501 bytes were left out here: the log takes 20 lines a second)", "b"])
    #expect(lines.end().isEmpty)
  }

  @Test("A few long lines are as much as many short ones, and one without an end fills no memory")
  func sizeCounts() {
    var lines = OutputLines(at: start)
    var count = 0
    let long = bytes(String(repeating: "y", count: 16_384))
    for _ in 0..<1_000 { count += lines.take(long, at: start).count }
    #expect(count == Int(OutputLines.byteBurst) / 16_384)
    #expect(lines.end().count == 1 + OutputLines.last)
  }
}
