/// The reason why a password could not be checked. Contains no password, no hash, and no user input.
public enum AccountsError: Error, Sendable, Hashable {
  /// The file does not exist.
  case missing(file: String)
  /// The file cannot be read.
  case unreadable(file: String, reason: String)
  /// The content of the file is invalid. The file is left unchanged.
  case damaged(file: String, reason: String)
  /// The file is world-writable, so its content cannot be trusted.
  case writableByOthers(file: String)
  /// The number of wrong passwords cannot be written to the file. Counting continues in memory.
  case countNotKept(file: String, reason: String)
  /// The system could not create a thread for the check.
  case outOfThreads
}

extension AccountsError: CustomStringConvertible {
  /// A description of the problem that an administrator can act on.
  public var description: String {
    switch self {
    case .missing(let file): "there is no account file \(file)"
    case .unreadable(let file, let reason): "the account file \(file) cannot be read: \(reason)"
    case .damaged(let file, let reason): "the account file \(file) is damaged: \(reason)"
    case .writableByOthers(let file):
      "the account file \(file) is not used because every user can write to it; run: chmod o-w \(file)"
    case .countNotKept(let file, let reason): "failed attempts cannot be recorded in the account file \(file): \(reason)"
    case .outOfThreads: "cannot create a thread to check the password"
    }
  }
}
