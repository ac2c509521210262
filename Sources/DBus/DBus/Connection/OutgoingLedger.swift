import DequeModule

/// Tracks the recipients of the unwritten messages in the outgoing queue.
///
/// Messages are written in order, so the number of waiting bytes determines their recipients. A pure value. It stays empty
/// while the socket accepts everything, which is the usual case. Messages that were queued in the turn in which the socket
/// became full are not recorded.
struct OutgoingLedger: Sendable {
  private struct Entry: Sendable {
    let recipient: String?
    let bytes: Int
  }

  private var entries: Deque<Entry> = []
  private var total = 0
  private var byRecipient: [String: Int] = [:]

  /// Whether no message waits.
  var isEmpty: Bool { entries.isEmpty }

  /// Returns how many bytes wait to be sent to a recipient.
  func bytes(to recipient: String) -> Int { byRecipient[recipient] ?? 0 }

  /// Adds a message that must wait.
  ///
  /// - Parameters:
  ///   - bytes: the message's size.
  ///   - recipient: the recipient; nil for a broadcast.
  mutating func add(_ bytes: Int, to recipient: String?) {
    entries.append(Entry(recipient: recipient, bytes: bytes))
    total += bytes
    if let recipient { byRecipient[recipient, default: 0] += bytes }
  }

  /// Updates the ledger with the number of bytes that still wait.
  ///
  /// - Parameters:
  ///   - outgoing: the number.
  ///   - limit: how many bytes may wait for one recipient.
  /// - Returns: the recipients that were over the limit and no longer are.
  mutating func hasLeft(_ outgoing: Int, limit: Int) -> [String] {
    var relieved: [String] = []
    while let first = entries.first, total - first.bytes >= outgoing {
      entries.removeFirst()
      total -= first.bytes
      guard let recipient = first.recipient, let before = byRecipient[recipient] else { continue }
      let left = before - first.bytes
      byRecipient[recipient] = left > 0 ? left : nil
      if before > limit, left <= limit { relieved.append(recipient) }
    }
    return relieved
  }
}

/// The tasks that wait for one condition.
struct WaitingTasks {
  private var continuations: [CheckedContinuation<Void, Never>] = []

  /// Whether no task waits.
  var isEmpty: Bool { continuations.isEmpty }

  /// Adds a task.
  mutating func add(_ continuation: CheckedContinuation<Void, Never>) { continuations.append(continuation) }

  /// Resumes all tasks.
  mutating func resume() {
    for continuation in continuations { continuation.resume() }
    continuations = []
  }
}
