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
      "the state directory \(path) cannot be used: \(reason); give another one with --state-dir, or --ephemeral to keep nothing"
    case .inUse(let path): "another daemon uses the state directory \(path); stop it, or give another one with --state-dir"
    case .newer(let file): "\(file) was made by a newer version; install that, or give another directory with --state-dir"
    case .noJournal(let file, let reason): "there is no journal \(file) to read: \(reason)"
    case .cannotOpen(let file, let reason):
      "\(file) cannot be read now: \(reason); it is left as it is: see to the disk and start again, or give another directory with --state-dir"
    case .cannotReplace(let file, let damage, let reason):
      "\(file) is damaged (\(damage)), and no new one can take its place: \(reason); it is left as it is: make room or move it, and start again"
    case .full(let reason): "there is no room on the disk (\(reason)): make some"
    case .busy: "another program has locked the journal"
    case .unavailable(let reason), .database(let reason): reason
    case .cannotEncode(let reason): "the flow's state cannot be encoded: \(reason)"
    case .inDoubt(let reason): "it cannot be told what is on the disk: \(reason)"
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
