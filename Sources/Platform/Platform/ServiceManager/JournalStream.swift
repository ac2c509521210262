import Glibc

/// Determines whether the output of this process goes to the journal.
package enum JournalStream {
  /// Whether stderr leads to the journal, which reads a priority, such as `<4>`, at the beginning of a line. Determined at the
  /// first access.
  ///
  /// Source: systemd.exec(5), `JOURNAL_STREAM`; sd-daemon(3) for priorities.
  package static let isStandardError: Bool = {
    guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
    var status = stat()
    return fstat(STDERR_FILENO, &status) == 0 && stream.bytes.equals("\(status.st_dev):\(status.st_ino)")
  }()
}
