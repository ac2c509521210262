/// A problem that an administrator should fix, although checks continue. Contains no password and no hash.
public enum AccountsNotice: Sendable, Hashable {
  /// The file is world-readable, so that any local user can try to guess passwords from the hashes.
  ///
  /// The file is used nevertheless: refusing it would not undo what has been read, and would lock out the owner of the
  /// device.
  case readableByOthers(file: String)
  /// A user cannot log in, because the hash is invalid, or its method is unknown or outdated.
  case unusableHash(file: String, username: String)
}

extension AccountsNotice: CustomStringConvertible {
  /// A description of the problem, and how to fix it.
  public var description: String {
    switch self {
    case .readableByOthers(let file): "every user can read the account file \(file); run: chmod o-r \(file)"
    case .unusableHash(let file, let username):
      "the user \(username) cannot log in: the hash in \(file) uses an unknown or insecure method"
    }
  }
}
