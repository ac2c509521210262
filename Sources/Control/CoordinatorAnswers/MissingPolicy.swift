/// The action of an unattended run when the answers file has no answer for a screen or a field.
public enum MissingPolicy: String, Sendable, Hashable, CaseIterable {
  /// Stop and name what is missing.
  case fail
  /// Take the answer that the screen itself proposes; stop if it proposes none.
  case `default`
  /// Ask the user at the terminal; stop if there is none.
  case ask
  /// Leave the screen to the users of other renderers, then continue.
  case wait
}
