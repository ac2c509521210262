/// Why a password could not be checked. Holds no password and no hash, and nothing that a user typed.
public enum AccountsError: Error, Sendable, Hashable {
  /// There is no such file.
  case missing(file: String)
  /// The file cannot be read.
  case unreadable(file: String, reason: String)
  /// The file is not what it should be. It is left as it is.
  case damaged(file: String, reason: String)
  /// Everybody on this machine can write to the file, so anybody may have written what it says.
  case writableByOthers(file: String)
  /// The count of wrong answers cannot be written to the file. It goes on in memory.
  case countNotKept(file: String, reason: String)
  /// The system gave no thread to check on.
  case outOfThreads
}

extension AccountsError: CustomStringConvertible {
  /// What is wrong, in words that an admin can act on.
  public var description: String {
    switch self {
    case .missing(let file): "there is no account file \(file)"
    case .unreadable(let file, let reason): "the account file \(file) cannot be read: \(reason)"
    case .damaged(let file, let reason): "the account file \(file) is damaged: \(reason)"
    case .writableByOthers(let file): "the account file \(file) is not used, because everybody can write to it: chmod o-w \(file)"
    case .countNotKept(let file, let reason): "wrong answers cannot be counted in the account file \(file): \(reason)"
    case .outOfThreads: "the system has no thread to check a password on"
    }
  }
}
