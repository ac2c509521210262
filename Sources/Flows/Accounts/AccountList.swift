import CoordinatorKit
import Glibc
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

/// A hash to check passwords against. Prints as dots.
struct PasswordHash: Sendable {
  private let text: String

  /// Creates a hash; nil if no password can match, because the account is locked (`!`, `*` or an empty string), or the
  /// method is unknown or outdated.
  init?(_ text: String) {
    guard Crypt.isSound(text) else { return nil }
    self.text = text
  }

  /// Returns whether a password is correct. Blocks for as long as the method takes, whatever the result.
  func matches(_ password: Secret) -> Bool {
    // libcrypt receives a C string, which ends at the first NUL; anything after it must not be ignored.
    let length = password.withBytes { $0.count }
    return password.withCString { phrase in
      let isSame = Crypt.withHash(of: phrase, setting: text) { $0.map(isSameText) ?? false }
      // A password that was wiped in the meantime may have been read as an empty one.
      return isSame && strlen(phrase) == length && !password.isWiped
    }
  }

  /// Compares strings in constant time, regardless of the position of the first difference.
  private func isSameText(as other: UnsafePointer<CChar>) -> Bool {
    let theirs = UnsafeRawBufferPointer(start: other, count: strlen(other))
    guard theirs.count == text.utf8.count else { return false }
    return zip(text.utf8, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "••••••" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// A store of accounts and counts. Calls may block, and do not overlap.
///
/// ```swift
/// var store = MemoryAccountStore(accounts: AccountList(hashes: DemoAccount.hashes))
/// let account = store.lookUp("demo")
/// ```
protocol AccountStore: Sendable {
  /// Called before each check. Your implementation should return what to check a password for `username` against.
  ///
  /// - Throws: ``AccountsError`` if the accounts cannot be read.
  mutating func lookUp(_ username: String) throws -> AccountLookup

  /// Called after a check that changed tallies. Your implementation should store them durably; clean tallies may be
  /// removed.
  ///
  /// - Parameter changes: the changed tallies.
  /// - Throws: ``AccountsError`` if they cannot be stored.
  mutating func keep(_ changes: [AttemptName: AttemptTally]) throws
}

/// An account, or the substitute for a nonexistent one.
struct AccountLookup: Sendable {
  /// The name to count wrong passwords for.
  var name: AttemptName
  /// The hash to check against. Also present for nonexistent users, so that hashing takes as long for them; nil if no
  /// user can log in.
  var hash: PasswordHash?
  /// Whether a matching password is correct; false for users who do not exist or are locked.
  var isOpen: Bool
  /// The tallies that other processes have changed since the last call.
  var counted: [AttemptName: AttemptTally] = [:]
}

/// Accounts in memory. Counts need not be stored, because the ledger keeps them while the program runs.
struct MemoryAccountStore: AccountStore {
  private let accounts: AccountList
  private let hasher = NameHasher()

  init(accounts: AccountList) { self.accounts = accounts }

  func lookUp(_ username: String) -> AccountLookup { accounts.lookUp(username, hasher: hasher) }

  func keep(_ changes: [AttemptName: AttemptTally]) {}
}
