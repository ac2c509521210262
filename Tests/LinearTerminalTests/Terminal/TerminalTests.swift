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
    var terminal = LinearTerminal(.smart)
    _ = terminal.ask(Prompt("Choice: "))
    #expect(terminal.answered("1") == "")
    #expect(terminal.answered(nil) == "\n")
  }

  @Test("A prompt is withdrawn in place on a smart terminal, and with a new line elsewhere")
  func promptIsWithdrawn() {
    var smart = LinearTerminal(.smart)
    _ = smart.ask(Prompt("Choice: "))
    #expect(smart.withdrawPrompt() == "\r\u{1B}[K")
    for kind in [LinearTerminal.Kind.dumb, .pipe] {
      var other = LinearTerminal(kind)
      _ = other.ask(Prompt("Choice: "))
      #expect(other.withdrawPrompt() == "\n")
    }
  }

  @Test("Progress is shown in one line above the prompt, on a smart terminal only")
  func progressIsShownAboveThePrompt() {
    var smart = LinearTerminal(.smart)
    _ = smart.ask(Prompt("Choice: "))
    #expect(smart.show(progress: "10%") == "\r\u{1B}[K10%\nChoice: ")
    #expect(smart.show(progress: "20%") == "\u{1B}7\u{1B}[1A\r\u{1B}[K20%\u{1B}8")
    _ = smart.print(["else"])
    #expect(smart.show(progress: "30%") == "\r\u{1B}[K30%\nChoice: ")
    var dumb = LinearTerminal(.dumb)
    _ = dumb.ask(Prompt("Choice: "))
    #expect(dumb.show(progress: "10%") == "")
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

  @Test("Bytes that are not UTF-8 are replaced")
  func invalidUTF8IsReplaced() throws {
    var lines = ByteLines(descriptor: try pipe(holding: [0x61, 0xFF, 0x62, 0x0A]))
    #expect(lines.next() == "a\u{FFFD}b")
    #expect(lines.next() == nil)
  }
}
