/// What was posted to a flow tree: what sets a transition off, and who is told what came of it.
struct Posted: Sendable {
  let cause: Cause
  /// Called once, from any thread.
  let reply: FlowTree.Reply

  init(_ cause: Cause, _ reply: @escaping FlowTree.Reply = { _ in }) {
    self.cause = cause
    self.reply = reply
  }

  /// Answers a caller whose call came after the end of the tree.
  ///
  /// - Parameter root: the root coordinator of the tree.
  func answerAfterEnd(root: CoordinatorPath) { reply(.failure(.unknownCoordinator(cause.coordinator ?? root))) }
}
