import DequeModule

/// What of the messages that libdbus was given is not written yet, by recipient. libdbus tells how many bytes wait, and writes them in
/// order: whose they are follows.
///
/// A value that decides. While everything is written at once, as it mostly is, nothing is entered.
struct OutgoingLedger: Sendable {
  private struct Entry: Sendable {
    let recipient: String?
    let bytes: Int
  }

  private var entries: Deque<Entry> = []
  private var total = 0
  private var byRecipient: [String: Int] = [:]

  /// Whether nothing waits.
  var isEmpty: Bool { entries.isEmpty }

  /// How many bytes wait to be sent to one recipient.
  func bytes(to recipient: String) -> Int { byRecipient[recipient] ?? 0 }

  /// Notes a message that has to wait.
  ///
  /// - Parameters:
  ///   - bytes: its size.
  ///   - recipient: whom it is for; nil for everybody.
  mutating func add(_ bytes: Int, to recipient: String?) {
    entries.append(Entry(recipient: recipient, bytes: bytes))
    total += bytes
    if let recipient { byRecipient[recipient, default: 0] += bytes }
  }

  /// Notes how many bytes still wait.
  ///
  /// - Parameters:
  ///   - outgoing: what libdbus says.
  ///   - limit: how many may wait for one recipient.
  /// - Returns: the recipients for whom no more than that wait now, and more did.
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
