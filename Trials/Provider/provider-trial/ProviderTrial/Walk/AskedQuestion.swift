import CoordinatorKit

/// A question of the walk, with the provider's reply.
struct AskedQuestion: Sendable {
  let question: Question
  let turn: UInt64
  let reply: Reply
  /// The decision; nil if the reply is not one.
  let decision: FlowDecision?
}
