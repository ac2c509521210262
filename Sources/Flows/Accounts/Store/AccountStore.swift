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
