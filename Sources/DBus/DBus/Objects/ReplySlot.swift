import Synchronization

/// The destination of an answer, which can be used once. May be used from any thread.
final class ReplySlot: Sendable {
  /// How the connection counts a call that waits for its answer.
  private enum Entry: UInt8, AtomicRepresentable { case none, underWay, waitingForLong }

  let connection: Connection
  let sender: String
  let serial: UInt32
  let expectsReply: Bool
  /// The approximate memory use of the call in bytes, until it is answered.
  let cost: Int
  private let isAnswered = Atomic(false)
  /// Changed only on the loop.
  private let entry = Atomic(Entry.none)
  /// The id of the user whose limits the call counts towards; negative if it counts towards its sender's. Set before
  /// the call is counted.
  private let user = Atomic(Int64(-1))

  init(connection: Connection, sender: String, serial: UInt32, expectsReply: Bool, cost: Int) {
    self.connection = connection
    self.sender = sender
    self.serial = serial
    self.expectsReply = expectsReply
    self.cost = cost
  }

  deinit {
    guard !isAnswered.load(ordering: .relaxed) else { return }
    let entry = entry.load(ordering: .relaxed)
    guard expectsReply || entry != .none else { return }
    let (connection, serial, expectsReply, counted) = (connection, serial, expectsReply, counted)
    let error = DBusError.failed("The service dropped the call without a reply")
    connection.loop.post {
      connection.assumeIsolated { connection in
        Self.leave(entry, counted, on: connection)
        if expectsReply { connection.answer(.failure(error), results: nil, sender: counted.sender, serial: serial) }
      }
    }
  }

  /// The account whose limits the call counts towards.
  var account: String {
    let user = user.load(ordering: .relaxed)
    return user < 0 ? sender : "user \(user)"
  }

  private var counted: CallAccount { CallAccount(sender: sender, name: account, cost: cost) }

  /// Counts the call towards a user's limits.
  func count(for user: UInt32) { self.user.store(Int64(user), ordering: .relaxed) }

  /// Leaves the call, which has not been queued yet, without an answer.
  func abandon() { isAnswered.store(true, ordering: .relaxed) }

  func answer(_ answer: Result<[Value], DBusError>, results: String?) {
    guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
    connection.runIsolated { connection in
      self.leave(on: connection)
      guard self.expectsReply else { return }
      connection.answer(answer, results: results, sender: self.sender, serial: self.serial)
    }
  }

  /// Claims the right to answer the call, and stops counting it. Returns whether it was still unanswered.
  func takeAnswer(on connection: isolated Connection) -> Bool {
    guard !isAnswered.exchange(true, ordering: .relaxed) else { return false }
    leave(on: connection)
    return true
  }

  /// Counts the call if it was dispatched on arrival and not answered immediately. An answer that is on its way from
  /// another thread arrives after this.
  func begin(on connection: isolated Connection) {
    guard !isAnswered.load(ordering: .relaxed), entry.load(ordering: .relaxed) == .none else { return }
    entry.store(.underWay, ordering: .relaxed)
    connection.callLines.begin(self)
  }

  /// Records that the call has been taken out of its queue, where it is already counted.
  func leaveLine(on connection: isolated Connection) { entry.store(.underWay, ordering: .relaxed) }

  /// Counts the call among those that wait for long instead.
  ///
  /// - Throws: `LimitsExceeded` if too many calls wait for long.
  func waitForLong(on connection: isolated Connection) throws(DBusError) {
    guard !isAnswered.load(ordering: .relaxed), !isWaitingForLong else { return }
    try connection.longCalls.add(of: account)
    leave(on: connection)
    entry.store(.waitingForLong, ordering: .relaxed)
  }

  var isWaitingForLong: Bool { entry.load(ordering: .relaxed) == .waitingForLong }

  private func leave(on connection: isolated Connection) {
    let entry = entry.exchange(.none, ordering: .relaxed)
    if entry != .none { Self.leave(entry, counted, on: connection) }
  }

  private static func leave(_ entry: Entry, _ counted: CallAccount, on connection: isolated Connection) {
    switch entry {
    case .none: break
    case .underWay:
      connection.callLines.end(counted)
      connection.serveNext(of: counted.sender)
      connection.callsMayBeAnswered()
    case .waitingForLong: connection.longCalls.remove(of: counted.name)
    }
  }
}
