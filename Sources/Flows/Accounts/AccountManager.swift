import CoordinatorKit

/// Checks the passwords of users.
///
/// ```swift
/// struct OneUser: AccountManager {
///   func check(_ username: String, password: Secret) async throws -> Verdict {
///     try await Task.sleep(for: .milliseconds(200))
///     return username == "anna" && password.withString { $0 == "open-sesame" } ? .accepted : .wrong
///   }
/// }
/// ```
public protocol AccountManager: Sendable {
  /// Called to check a password. Your implementation should take at least 200 ms whatever the verdict, and as long for
  /// a user that does not exist as for one that does.
  ///
  /// - Parameters:
  ///   - username: the name that the user entered.
  ///   - password: the password that the user entered.
  /// - Returns: the verdict.
  /// - Throws: `CancellationError` if the task is cancelled; otherwise ``AccountsError`` if the accounts cannot be read
  ///   or the number of wrong passwords cannot be stored.
  func check(_ username: String, password: Secret) async throws -> Verdict
}

/// The result of checking a password.
public enum Verdict: Sendable, Hashable {
  /// The password is correct.
  case accepted
  /// The password is wrong, or the user does not exist. Callers cannot distinguish the two.
  case wrong
  /// Too many wrong passwords were entered in a row. For some time, all passwords are refused, including the correct
  /// one.
  case tooManyAttempts
}
