import DequeModule

/// Who gets the next large answer: recipients take turns, and those of one are answered in order.
///
/// A value that decides. One answer is made at a time, and none while too much waits to be sent.
struct AnswerTurns<Pending: Sendable>: Sendable {
  private var waiting: [String: Deque<Pending>] = [:]
  /// Those for whom something waits, the next one first.
  private var recipients: Deque<String> = []
  /// Whom the answer is for that is being made.
  private(set) var current: String?

  /// Whether none waits and none is being made.
  var isEmpty: Bool { recipients.isEmpty && current == nil }

  /// Puts an answer in line.
  mutating func add(_ pending: Pending, for recipient: String) {
    if waiting[recipient] == nil { recipients.append(recipient) }
    waiting[recipient, default: []].append(pending)
  }

  /// The answer to make now, if there is one and none is being made. ``end()`` has to follow.
  mutating func next() -> Pending? {
    guard current == nil, let recipient = recipients.popFirst(), let pending = waiting[recipient]?.popFirst() else { return nil }
    if waiting[recipient]?.isEmpty == true { waiting[recipient] = nil } else { recipients.append(recipient) }
    current = recipient
    return pending
  }

  /// The answer was sent, or given up.
  mutating func end() { current = nil }

  /// Whether anything waits for a recipient.
  func hasWaiting(for recipient: String) -> Bool { waiting[recipient] != nil }
}
