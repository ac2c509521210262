/// The users, and their hashes.
struct AccountList: Sendable {
  private let hashes: [String: PasswordHash?]
  /// What the password of a user who does not exist, or is locked, is hashed against: somebody else's hash, so that it takes as long.
  private let decoy: PasswordHash?

  /// The users who have a hash that cannot be used, although it does not look as if somebody had locked them.
  let unusable: [String]

  /// - Parameter texts: by user name, the hash in the form of crypt(3).
  init(hashes texts: [String: String]) {
    hashes = texts.mapValues { PasswordHash($0) }
    unusable = texts.filter { PasswordHash($0.value) == nil && !Self.isLock($0.value) }.keys.sorted()
    let usable = hashes.filter { $0.value != nil }
    decoy = usable.min { $0.key < $1.key }?.value
  }

  /// What a password for `username` is to be checked against. Names are compared byte by byte.
  ///
  /// - Parameters:
  ///   - username: whoever wants in.
  ///   - hasher: hashes the name if nobody has it; it does so for all, so that it takes as long for all.
  /// - Returns: what is known, of whatever name.
  func lookUp(_ username: String, hasher: NameHasher) -> AccountLookup {
    let stranger = AttemptName.stranger(hasher(username))
    guard let index = hashes.index(forKey: username), hashes[index].key.utf8.elementsEqual(username.utf8) else {
      return AccountLookup(name: stranger, hash: decoy, isOpen: false)
    }
    let hash = hashes[index].value
    return AccountLookup(name: .user(username), hash: hash ?? decoy, isOpen: hash != nil)
  }

  /// Whether a user has this name.
  func holds(_ username: String) -> Bool { hashes[username] != nil }

  /// What shadow(5) tells us to write for a user who cannot log in with a password.
  private static func isLock(_ hash: String) -> Bool { hash.isEmpty || hash.hasPrefix("!") || hash.hasPrefix("*") }
}
