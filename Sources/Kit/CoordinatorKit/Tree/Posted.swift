/// What was posted to a flow tree: what sets a transition off, and who is told what came of it.
struct Posted: Sendable {
  let cause: Cause
  /// How often its transition was dropped because another coordinator failed, and it was posted again.
  let repeats: Int
  /// Called once, from any thread.
  let reply: FlowTree.Reply

  init(_ cause: Cause, repeats: Int = 0, _ reply: @escaping FlowTree.Reply = { _ in }) {
    self.cause = cause
    self.repeats = repeats
    self.reply = reply
  }

  /// Answers a caller whose call came after the end of the tree.
  ///
  /// - Parameter root: the root coordinator of the tree.
  func answerAfterEnd(root: CoordinatorPath) { reply(.failure(.unknownCoordinator(cause.coordinator ?? root))) }
}
