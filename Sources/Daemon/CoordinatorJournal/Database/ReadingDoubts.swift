import SQLite

/// Decides what an error in opening or reading a database means. Damage is believed only if it is found twice in a row,
/// each time reading from the beginning; a disk failure, only if it occurs twice.
///
/// A value type without side effects.
struct ReadingDoubts {
  /// The reaction to an error.
  enum Verdict {
    /// Reopen the file and read again.
    case readAgain
    /// Report the error, and leave the file as it is.
    case fail
    /// Move the file aside.
    case damaged(DatabaseFile.Unusable)
  }

  private var foundDamaged = 0
  private var failed = 0

  /// Decides on an error in opening or reading.
  mutating func verdict(on error: any Error) -> Verdict {
    switch error {
    case let unusable as DatabaseFile.Unusable:
      foundDamaged += 1
      return foundDamaged < 2 ? .readAgain : .damaged(unusable)
    case let error as SQLiteError where error.kind == .unavailable || error.kind == .readOnly:
      foundDamaged = 0
      failed += 1
      return failed < 2 ? .readAgain : .fail
    default: return .fail
    }
  }
}
