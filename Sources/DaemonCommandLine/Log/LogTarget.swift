import Glibc

/// Where the log goes: stderr, and whether that is the journal's.
struct LogTarget: Sendable, Hashable {
  let isJournal: Bool

  /// stderr as it is now. Source: systemd.exec(5), JOURNAL_STREAM.
  static var standardError: LogTarget {
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return LogTarget(isJournal: false) }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return LogTarget(isJournal: false) }
    return LogTarget(isJournal: stream == "\(status.st_dev):\(status.st_ino)")
  }

  func write(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Says why a program ends.
  func complain(_ reason: String, of program: String) {
    write((isJournal ? "<3>" : "\(program): ") + reason)
  }
}
