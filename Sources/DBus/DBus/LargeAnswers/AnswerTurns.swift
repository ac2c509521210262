import DequeModule

/// Decides who receives the next large answer: recipients take turns, and each one's answers are made in order.
///
/// A pure value. One answer is made at a time, and none while too many bytes wait to be sent.
struct AnswerTurns<Pending: Sendable>: Sendable {
  private var waiting: [String: Deque<Pending>] = [:]
  /// The recipients with waiting answers, the next one first.
  private var recipients: Deque<String> = []
  /// The recipient of the answer that is being made.
  private(set) var current: String?

  /// Whether no answer waits and none is being made.
  var isEmpty: Bool { recipients.isEmpty && current == nil }

  /// Queues an answer.
  mutating func add(_ pending: Pending, for recipient: String) {
    if waiting[recipient] == nil { recipients.append(recipient) }
    waiting[recipient, default: []].append(pending)
  }

  /// Returns the answer to make now; nil if there is none or one is being made. ``end()`` must follow.
  mutating func next() -> Pending? {
    guard current == nil, let recipient = recipients.popFirst(), let pending = waiting[recipient]?.popFirst() else { return nil }
    if waiting[recipient]?.isEmpty == true { waiting[recipient] = nil } else { recipients.append(recipient) }
    current = recipient
    return pending
  }

  /// Records that the answer has been sent or abandoned.
  mutating func end() { current = nil }

  /// Whether an answer waits for the recipient.
  func hasWaiting(for recipient: String) -> Bool { waiting[recipient] != nil }
}
