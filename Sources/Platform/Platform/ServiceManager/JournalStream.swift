import Glibc

/// Whether what this process writes goes to the journal.
package enum JournalStream {
  /// Whether stderr leads to the journal, which reads a priority, such as `<4>`, at the beginning of a line; as it is when the
  /// process first asks.
  ///
  /// Source: systemd.exec(5), `JOURNAL_STREAM`; sd-daemon(3) for priorities.
  package static let isStandardError: Bool = {
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
    var status = stat()
    return fstat(STDERR_FILENO, &status) == 0 && stream.bytes.equals("\(status.st_dev):\(status.st_ino)")
  }()
}
