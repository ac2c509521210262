/// Counts the incoming calls that wait for long (see ``IncomingCall/waitForLong()``), for each sender or user and in
/// total.
struct LongCalls: Sendable {
  private(set) var total = 0
  private var counts: [String: Int] = [:]
  private let limits: MessageLimits

  init(limits: MessageLimits) { self.limits = limits }

  /// Adds a call.
  ///
  /// - Throws: `LimitsExceeded` if there are too many.
  mutating func add(of account: String) throws(DBusError) {
    let own = counts[account] ?? 0
    guard own < limits.longCallsPerSender else {
      throw .limitsExceeded("\(own) of your long-running calls are unanswered: await some replies before you call again")
    }
    guard total < limits.longCalls else {
      throw .limitsExceeded("too many long-running calls of all clients are unanswered: call again later")
    }
    counts[account] = own + 1
    total += 1
  }

  /// Removes a call.
  mutating func remove(of account: String) {
    guard let own = counts[account] else { return }
    counts[account] = own > 1 ? own - 1 : nil
    total -= 1
  }
}
