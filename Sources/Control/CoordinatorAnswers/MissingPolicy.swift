/// What an unattended run does with a screen, or a field, for which the answers file has nothing.
public enum MissingPolicy: String, Sendable, Hashable, CaseIterable {
  /// Stops, and names what is missing.
  case fail
  /// Takes the answer that the screen itself proposes; stops where it proposes none.
  case `default`
  /// Asks the person at the terminal; stops where there is none.
  case ask
}
