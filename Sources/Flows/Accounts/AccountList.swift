import Platform

/// The users and their hashes.
struct AccountList: Sendable {
  private let hashes: [String: PasswordHash?]
  /// The hash that passwords of nonexistent and locked users are checked against: another user's hash, so that the
  /// check takes as long.
  private let decoy: PasswordHash?

  /// The users whose hash cannot be used, although the account does not appear to be locked deliberately.
  let unusable: [String]

  /// Creates a list.
  ///
  /// - Parameter texts: the hashes in the format of crypt(3), by user name.
  init(hashes texts: [String: String]) {
    hashes = texts.mapValues { PasswordHash($0) }
    unusable = texts.filter { PasswordHash($0.value) == nil && !Self.isLock($0.value) }.keys.sorted()
    let usable = hashes.filter { $0.value != nil }
    decoy = usable.min { $0.key < $1.key }?.value
  }

  /// Returns what to check a password for `username` against. Names are compared byte by byte.
  ///
  /// - Parameters:
  ///   - username: the name that the user entered.
  ///   - hasher: hashes the name in case it has no account; called for every name, so that the time does not differ.
  /// - Returns: the account, or its substitute.
  func lookUp(_ username: String, hasher: NameHasher) -> AccountLookup {
    let stranger = AttemptName.stranger(hasher(username))
    guard let index = hashes.index(forKey: username), hashes[index].key.utf8.elementsEqual(username.utf8) else {
      return AccountLookup(name: stranger, hash: decoy, isOpen: false)
    }
    let hash = hashes[index].value
    return AccountLookup(name: .user(username), hash: hash ?? decoy, isOpen: hash != nil)
  }

  /// Returns whether a user has this name.
  func holds(_ username: String) -> Bool { hashes[username] != nil }

  /// Returns whether a hash marks an account without a password log-in, according to shadow(5).
  private static func isLock(_ hash: String) -> Bool { hash.isEmpty || hash.bytes.hasPrefix("!") || hash.bytes.hasPrefix("*") }
}
