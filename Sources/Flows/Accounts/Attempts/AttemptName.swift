/// Whom wrong answers are counted for.
enum AttemptName: Sendable, Hashable {
  /// A user who has an account.
  case user(String)
  /// A name that nobody has, as its hash: people type passwords where names belong.
  case stranger(String)

  /// Whether nobody has the name.
  var isStranger: Bool { if case .stranger = self { true } else { false } }
}
