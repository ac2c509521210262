/// What an admin should see to, although checks go on. Holds no password and no hash.
public enum AccountsNotice: Sendable, Hashable {
  /// Everybody on this machine can read the hashes, and guess at them for as long as they like.
  ///
  /// The file is used all the same: who has read it has read it, and nobody would be served if the owner of the device could not log in.
  case readableByOthers(file: String)
  /// A user cannot log in, because the hash is none, or its method is unknown or outdated.
  case unusableHash(file: String, username: String)
}

extension AccountsNotice: CustomStringConvertible {
  /// What is wrong, and what to do about it.
  public var description: String {
    switch self {
    case .readableByOthers(let file): "everybody can read the account file \(file): chmod o-r \(file)"
    case .unusableHash(let file, let username):
      "the user \(username) cannot log in: the hash in \(file) is of no method that is known and sound"
    }
  }
}
