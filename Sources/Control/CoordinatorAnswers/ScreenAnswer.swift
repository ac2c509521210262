/// The answer to one screen.
public indirect enum ScreenAnswer: Sendable, Hashable {
  /// Not known (`~`): as if it was missing, at this place among the answers to its screen.
  case unknown
  /// One of the screen's actions, by its id.
  case action(String)
  /// What to fill in, by field, and the action that takes it: the form's primary one if nil. Of a list, `select` is the item.
  case values([String: AnswerValue])
  /// Go back.
  case back
  /// End the whole flow tree as cancelled.
  case dismiss
  /// This answer, however often its screen comes.
  case repeated(ScreenAnswer)
}
