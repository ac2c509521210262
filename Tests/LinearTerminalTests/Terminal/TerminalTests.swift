import Glibc
import Testing

@testable import LinearTerminal
@testable import RendererKit

@Suite("The output to a linear terminal", .timeLimit(.minutes(5)))
struct LinearTerminalTests {
  @Test("Answers are echoed over a pipe only, and secrets are not")
  func answersAreEchoedOverAPipeOnly() {
    var pipe = LinearTerminal(.pipe)
    #expect(pipe.ask(Prompt("Choice: ")) == "Choice: ")
    #expect(pipe.answered("1") == "1\n")
    _ = pipe.ask(Prompt("Password: ", isSecret: true))
    #expect(pipe.answered("hunter2") == "\n")
    var terminal = LinearTerminal(.terminal)
    _ = terminal.ask(Prompt("Choice: "))
    #expect(terminal.answered("1") == "")
    #expect(terminal.answered(nil) == "\n")
  }

  @Test("A prompt is left with a new line, and nothing is written over", arguments: [LinearTerminal.Kind.terminal, .pipe])
  func promptIsLeft(kind: LinearTerminal.Kind) {
    var terminal = LinearTerminal(kind)
    _ = terminal.ask(Prompt("Choice: "))
    #expect(terminal.leavePrompt() == "\n")
    #expect(terminal.print(["One", "Two"]) == "One\nTwo\n")
  }
}

@Suite("The lines of a file descriptor", .timeLimit(.minutes(5)))
struct LineReaderTests {
  /// Returns a pipe that contains some bytes and has no writer any more.
  private func pipe(holding bytes: [UInt8]) throws -> Int32 {
    var ends: [Int32] = [0, 0]
    try #require(Glibc.pipe(&ends) == 0)
    try #require(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    return ends[0]
  }

  @Test("One line is read for each request, until the end")
  func oneLineIsReadPerRequest() async throws {
    let reader = LineReader(descriptor: try pipe(holding: Array("one\ntwo\r\n\nlast".utf8)))
    var lines: [LineReader.Line] = []
    var iterator = reader.lines.makeAsyncIterator()
    for _ in 0..<5 {
      reader.request()
      if let line = await iterator.next() { lines.append(line) }
    }
    #expect(lines == [.text("one"), .text("two"), .text(""), .text("last"), .end])
    #expect(await iterator.next() == nil)
  }

  @Test("A second receiver continues where the first one stopped, and also receives the end")
  func receiverIsReplaced() async throws {
    let reader = LineReader(descriptor: try pipe(holding: Array("one\ntwo\n".utf8)))
    func next() async -> LineReader.Line? {
      reader.request()
      var iterator = reader.lines.makeAsyncIterator()
      return await iterator.next()
    }
    #expect(await next() == .text("one"))
    #expect(await next() == .text("two"))
    #expect(await next() == .end)
    #expect(reader.isAtEnd)
    var iterator = reader.lines.makeAsyncIterator()
    #expect(await iterator.next() == .end)
    #expect(await iterator.next() == nil)
  }

  @Test("Bytes that are not UTF-8 are replaced")
  func invalidUTF8IsReplaced() throws {
    var lines = ByteLines(descriptor: try pipe(holding: [0x61, 0xFF, 0x62, 0x0A]))
    #expect(lines.next() == "a\u{FFFD}b")
    #expect(lines.next() == nil)
  }
}
