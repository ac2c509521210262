/// Why a journal cannot be opened, or cannot keep something.
public enum JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The directory cannot be made, or is not ours alone.
  case directory(String, reason: String)
  /// Another daemon has the directory.
  case inUse(directory: String)
  /// A newer version of this program has made the database.
  case newer(file: String)
  /// There is no journal to read, or it may not be read.
  case noJournal(file: String, reason: String)
  /// The database cannot be opened.
  case cannotOpen(file: String, reason: String)
  /// Something could not be read or written: the disk is full or read-only, or the database is damaged.
  case database(String)
  /// A transition holds what cannot be encoded.
  case cannotEncode(String)
  /// The journal has been closed.
  case closed

  /// For people: what happened, and what to do next.
  public var description: String {
    switch self {
    case .directory(let path, let reason):
      "the state directory \(path) cannot be used: \(reason); give another one with --state-dir, or --ephemeral to keep nothing"
    case .inUse(let path): "another daemon uses the state directory \(path); stop it, or give another one with --state-dir"
    case .newer(let file): "\(file) was made by a newer version; install that, or give another directory with --state-dir"
    case .noJournal(let file, let reason): "there is no journal \(file) to read: \(reason)"
    case .cannotOpen(let file, let reason):
      "\(file) cannot be opened: \(reason); give another directory with --state-dir, or --ephemeral to keep nothing"
    case .database(let reason): reason
    case .cannotEncode(let reason): "the flow's state cannot be encoded: \(reason)"
    case .closed: "the journal is closed"
    }
  }
}
