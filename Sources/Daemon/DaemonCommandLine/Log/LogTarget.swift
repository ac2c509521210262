import Glibc

/// The destination of the log: journald, with fields, or stderr, as lines.
struct LogTarget: Sendable, Hashable {
  /// Whether stderr leads to the journal, which reads a priority at the beginning of a line.
  let isJournal: Bool
  /// The socket for entries with fields; nil if there is none.
  let socket: JournalSocket?

  init(isJournal: Bool, socket: JournalSocket? = nil) {
    self.isJournal = isJournal
    self.socket = socket
  }

  /// The target for stderr as it is when the process first uses it. Source: systemd.exec(5), `JOURNAL_STREAM`.
  static let standardError: LogTarget = {
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return LogTarget(isJournal: false) }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0, stream == "\(status.st_dev):\(status.st_ino)" else {
      return LogTarget(isJournal: false)
    }
    return LogTarget(isJournal: true, socket: JournalSocket())
  }()

  func write(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }

  /// Writes the reason why a program ends.
  func complain(_ reason: String, of program: String) {
    write((isJournal ? "<3>" : "\(program): ") + reason)
  }
}
