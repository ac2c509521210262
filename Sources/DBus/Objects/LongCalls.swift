/// How many calls of others wait for long, as ``IncomingCall/waitForLong()`` says: of each sender, and of all together.
struct LongCalls: Sendable {
  private(set) var total = 0
  private var counts: [String: Int] = [:]
  private let limits: MessageLimits

  init(limits: MessageLimits) { self.limits = limits }

  /// Enters a call.
  ///
  /// - Throws: `LimitsExceeded` if there are too many.
  mutating func add(of sender: String) throws(DBusError) {
    let own = counts[sender] ?? 0
    guard own < limits.longCallsPerSender else {
      throw .limitsExceeded("\(own) of your calls wait for an end: await some before you call again")
    }
    guard total < limits.longCalls else { throw .limitsExceeded("too many calls of all clients wait for an end") }
    counts[sender] = own + 1
    total += 1
  }

  /// Takes a call out.
  mutating func remove(of sender: String) {
    guard let own = counts[sender] else { return }
    counts[sender] = own > 1 ? own - 1 : nil
    total -= 1
  }
}
