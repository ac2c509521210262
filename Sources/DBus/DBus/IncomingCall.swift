import Synchronization

/// A method call whose caller is waiting for the answer.
///
/// A call is answered once, with ``reply(_:)`` or ``fail(_:)``: a second answer is ignored, and a call that is released
/// unanswered is answered with an error. A caller that requested no reply receives neither a return nor an error. A
/// call may be answered from any thread.
public struct IncomingCall: Sendable {
  /// The caller's unique name.
  public let sender: String
  /// The path of the called object.
  public let path: ObjectPath
  /// The interface. For a call without one, ``ExportedObject/handle(_:)`` receives that of the method that was
  /// selected.
  public internal(set) var interface: String?
  /// The method's name.
  public let member: String
  /// The credentials of the calling connection; nil unless this connection was opened with an ``AdmissionRule``.
  public internal(set) var credentials: PeerCredentials?
  /// The arguments; empty after ``waitForLong()``.
  public private(set) var arguments: [Value]
  /// Whether the caller expects a reply.
  public var expectsReply: Bool { slot.expectsReply }
  /// The account whose limits the call counts towards: the caller's unique name, or an identifier of its user if the
  /// connection counts by user.
  public var account: String { slot.account }
  /// The serial number that the caller assigned to the message.
  public let serial: UInt32

  /// The type codes of the arguments.
  public let signature: String
  /// The types that the method's results must have; nil until the method is known.
  var results: String?
  let slot: ReplySlot

  init(_ message: ReceivedMessage, arguments: [Value], expectsReply: Bool, connection: Connection) {
    sender = message.sender
    path = message.path
    interface = message.interface
    member = message.member
    self.arguments = arguments
    serial = message.serial
    signature = message.signature
    slot = ReplySlot(
      connection: connection, sender: message.sender, serial: message.serial, expectsReply: expectsReply, cost: message.size)
  }

  /// Answers with the method's results.
  ///
  /// On the connection's serial executor the answer is sent immediately, so that it is ordered with signals as the
  /// statements are; elsewhere it is queued there in order. If the values do not have the types of the method's
  /// description or exceed the connection's limits, the call is answered with `LimitsExceeded` instead.
  public func reply(_ values: [Value] = []) { slot.answer(.success(values), results: results) }

  /// Answers with an error, in the same way.
  public func fail(_ error: DBusError) { slot.answer(.failure(error), results: nil) }

  /// Answers with results that take time to make. They are made on another thread, after the answers requested earlier,
  /// and only while there is room in the outgoing queue. Signals and callers of anything else are served meanwhile;
  /// further calls of the same sender wait. Must be called on the connection's serial executor.
  ///
  /// - Parameter describe: a closure that returns the answer as of the moment at which it is called: on the
  ///   connection's serial executor, when it is the call's turn. If the answer is outdated by the time it has been
  ///   made, it is made again, at most twice.
  public func reply(inTurn describe: @escaping @Sendable () throws(DBusError) -> LargeAnswer) {
    replyInTurn(.described { _ throws(DBusError) in try describe() })
  }

  /// Answers in turn; see ``reply(inTurn:)``.
  func replyInTurn(_ making: LargeAnswers.Making) {
    slot.connection.assumeIsolated { [slot, results] in $0.largeAnswers.add(slot, types: results, making, on: $0) }
  }

  /// Leaves the call without an answer, because the caller has gone.
  func abandon() { slot.abandon() }

  /// Declares that the answer will take long, such as one that depends on a person. The call no longer counts among the
  /// waiting calls of ``MessageLimits`` but separately, and its arguments are released. Must be called on the
  /// connection's serial executor.
  ///
  /// - Throws: `LimitsExceeded` if too many calls wait in this way.
  public mutating func waitForLong() throws(DBusError) {
    let slot = slot
    let error: DBusError? = slot.connection.assumeIsolated { connection in
      do throws(DBusError) {
        try slot.waitForLong(on: connection)
        return nil
      } catch {
        return error
      }
    }
    if let error { throw error }
    arguments = []
  }
}

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
    connection.begin(self)
  }

  /// Records that the call has been taken out of its queue, where it is already counted.
  func leaveLine(on connection: isolated Connection) { entry.store(.underWay, ordering: .relaxed) }

  /// Counts the call among those that wait for long instead.
  ///
  /// - Throws: `LimitsExceeded` if too many calls wait for long.
  func waitForLong(on connection: isolated Connection) throws(DBusError) {
    guard !isAnswered.load(ordering: .relaxed), !isWaitingForLong else { return }
    try connection.addLongCall(of: account)
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
    case .underWay: connection.end(counted)
    case .waitingForLong: connection.removeLongCall(of: counted.name)
    }
  }
}
