/// An answer to a screen.
public indirect enum ScreenAnswer: Sendable, Hashable {
  /// An unknown answer (`~`). Treated as missing at this position among the answers to the screen.
  case unknown
  /// The id of an action of the screen.
  case action(String)
  /// The values to fill in, by field. The key `action` names the action that sends them, by default the form's primary
  /// one; on a list, the key `select` names the item.
  case values([String: AnswerValue])
  /// Go back.
  case back
  /// End the whole flow tree as cancelled.
  case dismiss
  /// Give this answer every time the screen appears.
  case repeated(ScreenAnswer)
}
