/// The name that wrong passwords are counted for.
enum AttemptName: Sendable, Hashable {
  /// A user with an account.
  case user(String)
  /// A name without an account, as a hash, because people sometimes type passwords into the name field.
  case stranger(String)

  /// Whether the name has no account.
  var isStranger: Bool { if case .stranger = self { true } else { false } }
}
