import CoordinatorKit

/// Says whether a user is who they say they are.
public protocol AccountManager: Sendable {
  /// Checks a password. Takes at least 200 ms whatever the answer, and no less for a user that does not exist.
  ///
  /// - Parameters:
  ///   - username: who they say they are.
  ///   - password: what proves it.
  /// - Returns: what to tell the user.
  /// - Throws: `CancellationError` if the task is cancelled; else ``AccountsError`` if the accounts cannot be read or the count of
  ///   wrong answers cannot be kept.
  func check(_ username: String, password: Secret) async throws -> Verdict
}

/// What came of checking a password.
public enum Verdict: Sendable, Hashable {
  /// It is the user's password.
  case accepted
  /// It is not, or there is no such user: nobody is told which.
  case wrong
  /// There were too many wrong answers in a row. For a while no answer is looked at, not even the right one.
  case tooManyAttempts
}
