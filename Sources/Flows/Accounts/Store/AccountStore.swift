/// Where accounts and counts are kept. Calls may block, and come one at a time.
protocol AccountStore: Sendable {
  /// What a password for `username` is to be checked against.
  ///
  /// - Throws: ``AccountsError`` if the accounts cannot be read.
  mutating func lookUp(_ username: String) throws -> AccountLookup

  /// Keeps tallies, durably; one that is clean need not be kept any longer.
  ///
  /// - Parameter changes: the tallies that have changed.
  /// - Throws: ``AccountsError`` if they cannot be kept.
  mutating func keep(_ changes: [AttemptName: AttemptTally]) throws
}

/// What is known of an account, or of the lack of one.
struct AccountLookup: Sendable {
  /// Whom to count for.
  var name: AttemptName
  /// What to hash against. It is there for users that do not exist too, so that hashing takes as long for them; it is nil if nobody
  /// can log in.
  var hash: PasswordHash?
  /// Whether a password that matches is the right one: false for users that do not exist or are locked.
  var isOpen: Bool
  /// What was counted by others since the last look.
  var counted: [AttemptName: AttemptTally] = [:]
}
