import CoordinatorKit

/// The users of a machine.
protocol Users: Sendable {
  /// Returns the full name of a user; nil if there is no such user, or only an incomplete one.
  func fullName(of login: String) async throws -> String?

  /// Adds a user, or completes an incomplete one. The user cannot log in without a password.
  func add(_ person: Person) async throws

  /// Returns whether a user has a password.
  func hasPassword(_ login: String) async throws -> Bool

  /// Returns whether a password is that of a user. It is valid until this returns.
  func isPassword(_ password: Secret, of login: String) async throws -> Bool

  /// Gives a user a password, which is valid until this returns.
  func setPassword(_ password: Secret, of login: String) async throws
}
