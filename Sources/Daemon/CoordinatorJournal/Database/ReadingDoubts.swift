import SQLite

/// What to believe of a database that could not be opened or read: damage only if it is found twice in a row, from the beginning, and a
/// failure of the disk only if it comes twice.
///
/// A value that decides.
struct ReadingDoubts {
  /// What to do about an error.
  enum Verdict {
    /// Open the file again, and read.
    case readAgain
    /// Say so, and leave the file as it is.
    case fail
    /// Move the file aside.
    case damaged(DatabaseFile.Unusable)
  }

  private var foundDamaged = 0
  private var failed = 0

  /// Decides on an error of opening or reading.
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
