import CoordinatorBus
import CoordinatorKit
import DBus

/// The outcome of a flow, in the form that clients receive.
struct ToldOutcome: Sendable, Hashable {
  let outcome: Outcome
  /// Whether the daemon ended the flow because it persists nothing and ends itself.
  var wasStopped = false

  /// The outcome and its result, as `RunFlow` and `GetOutcome` return them. If a flow was cancelled because the daemon ends,
  /// the result states this.
  var values: [Value] {
    let isStopped = wasStopped && outcome == .cancelled
    return [.string(outcome.name), isStopped ? .vardict(["reason": .string("stopped")]) : outcome.resultValue]
  }

  /// Returns whether replies with it must be sent in turn, each when there is room, because there are many of them, or a few
  /// large ones.
  ///
  /// - Parameter count: the number of replies.
  /// - Returns: whether they must be sent in turn.
  func mustBeSentInTurn(to count: Int) -> Bool { count > 16 || (count > 1 && outcome.roughSize > LargeAnswer.size) }
}
