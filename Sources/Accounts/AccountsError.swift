/// Why a password could not be checked. Names no user, and holds no password and no hash.
public enum AccountsError: Error, Sendable, Hashable {
  /// The system gave no thread to check on.
  case outOfThreads
}

extension AccountsError: CustomStringConvertible {
  /// What is wrong, in words that an admin can act on.
  public var description: String {
    switch self {
    case .outOfThreads: "the system has no thread to check a password on"
    }
  }
}
