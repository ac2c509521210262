import Glibc
import Platform

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

  /// The target for stderr as it is when the process first uses it.
  static let standardError =
    JournalStream.isStandardError ? LogTarget(isJournal: true, socket: JournalSocket()) : LogTarget(isJournal: false)

  func write(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }

  /// Writes the reason why a program ends.
  func complain(_ reason: String, of program: String) {
    write((isJournal ? "<3>" : "\(program): ") + reason)
  }
}
