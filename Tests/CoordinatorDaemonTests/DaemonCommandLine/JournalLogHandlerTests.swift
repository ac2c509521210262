import Foundation
import Glibc
import Logging
import Testing

@testable import DaemonCommandLine

@Suite("Log lines", .timeLimit(.minutes(5)))
struct JournalLogHandlerTests {
  private func event(_ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata? = nil) -> LogEvent {
    LogEvent(level: level, message: message, metadata: metadata, source: "", file: "", function: "", line: 0)
  }

  private func handler(_ target: LogTarget) -> JournalLogHandler {
    var handler = JournalLogHandler(label: "kiosk", threshold: LogThreshold(.trace), target: target)
    handler[metadataKey: "coordinator"] = "coffee_1"
    return handler
  }

  private func line(
    _ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata? = nil, isJournal: Bool
  ) -> String { handler(LogTarget(isJournal: isJournal)).line(of: event(level, message, metadata)) }

  @Test("A terminal line shows the label, the level, and the sorted fields, quoted unless they are plain words")
  func terminalLineHasLabelLevelAndFields() {
    #expect(
      line(.warning, "late", ["by": "3 s", "coordinator": "tea_1", "why": #"a "b\"#, "none": ""], isJournal: false)
        == #"kiosk: warning: late by="3 s" coordinator=tea_1 none="" why="a \"b\\""#)
  }

  @Test(
    "Without its socket, the journal reads a priority prefix as in sd-daemon(3)",
    arguments: zip(Logger.Level.allCases, [7, 7, 6, 5, 4, 3, 2]))
  func fallbackLineHasPriorityPrefix(level: Logger.Level, priority: Int) {
    #expect(line(level, "late", isJournal: true) == "<\(priority)>late coordinator=coffee_1")
  }

  @Test("A message is a single line, and nothing in it reaches the terminal as a control sequence")
  func messageIsOneSafeLine() {
    #expect(
      line(.info, "a\nb\u{1B}[2Jc\u{9B}d", ["k": "\r"], isJournal: false).unicodeScalars.allSatisfy {
        $0.value >= 0x20 && $0.value != 0x9B
      })
  }

  @Test(
    "Every control character becomes a space, wherever it is", arguments: ["a\tb", "a\u{7F}b", "a\u{85}b", "a\u{9B}b", "a\0b"])
  func controlCharacterBecomesSpace(text: String) {
    #expect(line(.info, "\(text)é", ["coordinator": "\(text)"], isJournal: false) == #"kiosk: info: a bé coordinator="a b""#)
  }

  @Test(
    "A quotation mark, a backslash, and an equals sign count with a combining mark as well",
    arguments: zip(
      ["a\"\u{301}b", "a \"\u{301}b", "a=\u{301}b", "a \\\u{FE0F}b", "a\u{301}b", "a\u{2003}b"],
      ["\"a\\\"\u{301}b\"", "\"a \\\"\u{301}b\"", "\"a=\u{301}b\"", "\"a \\\\\u{FE0F}b\"", "a\u{301}b", "\"a\u{2003}b\""]))
  func combiningMarksHideNothing(value: String, written: String) {
    #expect(line(.info, "x", ["coordinator": "\(value)"], isJournal: false) == "kiosk: info: x coordinator=\(written)")
  }

  @Test("The journal receives each field under its name, and no value can add another field")
  func journaldReceivesNamedFields() throws {
    let journal = try FakeJournal()
    let handler = handler(LogTarget(isJournal: true, socket: JournalSocket(path: journal.path)))
    handler.log(event: event(.notice, "a\nPRIORITY=0", ["event": "x\nFAKE=1", "flow-name": "pets", "_private": "y", "1": "z"]))
    #expect(
      try journal.entry() == [
        "PRIORITY=5", "SYSLOG_IDENTIFIER=kiosk",
        #"MESSAGE=a PRIORITY=0 1=z _private=y coordinator=coffee_1 event="x FAKE=1" flow-name=pets"#,
        "COORDINATOR=coffee_1", "EVENT=x FAKE=1", "FLOW_NAME=pets",
      ])
  }

  @Test("An entry that journald does not accept is left for stderr, and journald is used again when it is back")
  func rejectedEntryFallsBackToStderr() throws {
    let journal = try FakeJournal()
    let socket = try #require(JournalSocket(path: journal.path))
    #expect(socket.send("A=1\n"))
    try journal.leave()
    #expect(!socket.send("A=2\n"))
    try journal.comeBack()
    #expect(socket.send("A=3\n"))
    #expect(try journal.entry() == ["A=3"])
    #expect(JournalSocket(path: String(repeating: "x", count: 200)) == nil)
  }

  @Test("Changing the level affects all copies of a logger, except a copy that has its own level")
  func levelChangesForAllLoggerCopies() {
    let threshold = LogThreshold(.notice)
    let handler = JournalLogHandler(label: "kiosk", threshold: threshold, target: LogTarget(isJournal: false))
    let logger = Logger(label: "kiosk") { _ in handler }
    var own = logger
    own.logLevel = .error
    for level in Logger.Level.allCases {
      threshold.level = level
      #expect(logger.logLevel == level)
    }
    #expect(own.logLevel == .error)
  }
}
