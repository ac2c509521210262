/// What was posted to a flow tree: what sets a transition off, and who is told what came of it.
struct Posted: Sendable {
  let cause: Cause
  /// How often its transition was dropped because another coordinator failed, and it was posted again.
  let repeats: Int
  /// Called from any thread when a provider is waited for, which may take long.
  let whenWaiting: (@Sendable () -> Void)?
  /// Called once, from any thread.
  let reply: FlowTree.Reply

  init(
    _ cause: Cause, repeats: Int = 0, whenWaiting: (@Sendable () -> Void)? = nil, _ reply: @escaping FlowTree.Reply = { _ in }
  ) {
    self.cause = cause
    self.repeats = repeats
    self.whenWaiting = whenWaiting
    self.reply = reply
  }

  /// Posts an event for which no caller waits, in turn with those of other trees. It leaves the line when it has ended, or
  /// has to wait for a provider: others must not wait for that one, too.
  init(_ cause: Cause, inTurn hasEnded: @escaping @Sendable (UnawaitedEnding) -> Void) {
    self.init(cause, whenWaiting: { hasEnded(.untried) }) { hasEnded(UnawaitedEnding($0)) }
  }

  /// Answers a caller whose call came after the end of the tree.
  ///
  /// - Parameter root: the root coordinator of the tree.
  func answerAfterEnd(root: CoordinatorPath) { reply(.failure(.unknownCoordinator(cause.coordinator ?? root))) }
}
