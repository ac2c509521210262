import SQLite

/// An error in opening a journal, or in storing or reading something.
public enum JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The directory cannot be created, or is not private to this user.
  case directory(String, reason: String)
  /// Another daemon uses the directory.
  case inUse(directory: String)
  /// A newer version of this program has migrated the database.
  case newer(file: String)
  /// There is no journal, or this process may not read it.
  case noJournal(file: String, reason: String)
  /// The database cannot be opened or read now, which says nothing about its contents.
  case cannotOpen(file: String, reason: String)
  /// The database is damaged, and stays where it is because no new one can be created.
  case cannotReplace(file: String, damage: String, reason: String)
  /// The disk or the user's quota is full. The value is the reason.
  case full(String)
  /// Another program has locked the database.
  case busy
  /// Reading or writing failed, which says nothing about what is stored.
  case unavailable(String)
  /// The database refused a statement: it is read-only, or its contents contradict the statement.
  case database(String)
  /// A transition contains a value that cannot be encoded.
  case cannotEncode(String)
  /// A commit failed in such a way that only the next start can tell whether it is on the disk.
  case inDoubt(String)
  /// The journal is closed.
  case closed

  /// A human-readable message that says what happened and what to do next.
  public var description: String {
    switch self {
    case .directory(let path, let reason):
      "cannot use the state directory \(path): \(reason); give another one with --state-dir, or use --ephemeral to store nothing"
    case .inUse(let path): "another daemon uses the state directory \(path); stop it, or give another one with --state-dir"
    case .newer(let file):
      "\(file) was written by a newer version; install that version, or give another directory with --state-dir"
    case .noJournal(let file, let reason): "cannot read the journal \(file): \(reason)"
    case .cannotOpen(let file, let reason):
      """
      cannot currently read \(file): \(reason); the file is unchanged: check the disk and start again, or give another directory \
      with --state-dir
      """
    case .cannotReplace(let file, let damage, let reason):
      """
      \(file) is damaged (\(damage)) and cannot be replaced: \(reason); the file is unchanged: free disk space or move the file, \
      and start again
      """
    case .full(let reason): "the disk is full (\(reason)); free some space"
    case .busy: "another program has locked the journal"
    case .unavailable(let reason), .database(let reason): reason
    case .cannotEncode(let reason): "the flow's state cannot be encoded: \(reason)"
    case .inDoubt(let reason): "the contents of the disk are unknown: \(reason)"
    case .closed: "the journal is closed"
    }
  }
}

extension JournalError {
  /// Creates the journal error for an error of the database.
  init(_ error: any Error) {
    switch error {
    case let error as JournalError: self = error
    case let error as SQLiteError:
      switch error.kind {
      case .full: self = .full(error.description)
      case .busy: self = .busy
      case .unavailable, .cannotOpen: self = .unavailable(error.description)
      case .readOnly, .damaged, .otherTables, .constraint, .other: self = .database(error.description)
      }
    default: self = .database(String(describing: error))
    }
  }
}
