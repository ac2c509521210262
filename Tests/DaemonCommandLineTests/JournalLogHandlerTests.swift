import Logging
import Testing

@testable import DaemonCommandLine

@Suite("The lines of the log")
struct JournalLogHandlerTests {
  private func line(_ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata? = nil, isJournal: Bool)
    -> String
  {
    var handler = JournalLogHandler(label: "kiosk", level: .trace, target: LogTarget(isJournal: isJournal))
    handler[metadataKey: "coordinator"] = "coffee_1"
    return handler.line(
      of: LogEvent(level: level, message: message, metadata: metadata, source: "", file: "", function: "", line: 0))
  }

  @Test("a terminal reads who says it and how serious it is, then the metadata in order")
  func terminal() {
    #expect(
      line(.warning, "late", ["by": "3 s", "coordinator": "tea_1"], isJournal: false)
        == #"kiosk: warning: late by="3 s" coordinator="tea_1""#)
  }

  @Test("the journal reads a priority of sd-daemon(3)", arguments: zip(Logger.Level.allCases, [7, 7, 6, 5, 4, 3, 2]))
  func journal(level: Logger.Level, priority: Int) {
    #expect(line(level, "late", isJournal: true) == #"<\#(priority)>late coordinator="coffee_1""#)
  }

  @Test("a message is one line, and nothing in it reaches the terminal as a command")
  func oneLine() {
    #expect(
      line(.info, "a\nb\u{1B}[2Jc\u{9B}d", ["k": "\r"], isJournal: false).unicodeScalars.allSatisfy {
        $0.value >= 0x20 && $0.value != 0x9B
      })
  }
}
