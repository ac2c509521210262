import Synchronization

/// Where an answer goes, once.
final class ReplySlot: Sendable {
  /// Where the connection counts a call that waits for its answer.
  private enum Entry: UInt8, AtomicRepresentable { case none, underWay, waitingForLong }

  let connection: Connection
  let sender: String
  let serial: UInt32
  let expectsReply: Bool
  /// About how many bytes of memory the call takes up until it is answered.
  let cost: Int
  private let isAnswered = Atomic(false)
  /// Changed on the loop only.
  private let entry = Atomic(Entry.none)

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
    let (connection, sender, serial, expectsReply, cost) = (connection, sender, serial, expectsReply, cost)
    let error = DBusError.failed("The service dropped the call without an answer")
    connection.loop.post {
      connection.assumeIsolated { connection in
        Self.leave(entry, cost, of: sender, on: connection)
        if expectsReply { connection.answer(.failure(error), results: nil, sender: sender, serial: serial) }
      }
    }
  }

  /// Leaves the call, which is in no line yet, without an answer.
  func abandon() { isAnswered.store(true, ordering: .relaxed) }

  func answer(_ answer: Result<[Value], DBusError>, results: String?) {
    guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
    connection.runIsolated { connection in
      self.leave(on: connection)
      guard self.expectsReply else { return }
      connection.answer(answer, results: results, sender: self.sender, serial: self.serial)
    }
  }

  /// Has the call counted if it was dispatched on arrival and not answered at once. An answer that is on its way from another thread
  /// comes after this.
  func begin(on connection: isolated Connection) {
    guard !isAnswered.load(ordering: .relaxed), entry.load(ordering: .relaxed) == .none else { return }
    entry.store(.underWay, ordering: .relaxed)
    connection.callLines.begin(cost, of: sender)
  }

  /// Notes that the call was taken out of its line, where it is counted.
  func leaveLine(on connection: isolated Connection) { entry.store(.underWay, ordering: .relaxed) }

  /// Counts the call among those that wait for long instead.
  func waitForLong(on connection: isolated Connection) throws(DBusError) {
    guard !isAnswered.load(ordering: .relaxed), entry.load(ordering: .relaxed) != .waitingForLong else { return }
    try connection.longCalls.add(of: sender)
    leave(on: connection)
    entry.store(.waitingForLong, ordering: .relaxed)
  }

  private func leave(on connection: isolated Connection) {
    Self.leave(entry.exchange(.none, ordering: .relaxed), cost, of: sender, on: connection)
  }

  private static func leave(_ entry: Entry, _ cost: Int, of sender: String, on connection: isolated Connection) {
    switch entry {
    case .none: break
    case .underWay:
      if connection.callLines.end(cost, of: sender) { connection.dispatchSoon(sender) }
      connection.callsMayBeAnswered()
    case .waitingForLong: connection.longCalls.remove(of: sender)
    }
  }
}
