import Synchronization

/// A method call that somebody waits for the answer to.
///
/// It is answered once, by ``reply(_:)`` or ``fail(_:)``: a second answer is ignored, and a call that is dropped unanswered is
/// answered with an error. A caller that wants no reply gets none, neither a return nor an error.
public struct IncomingCall: Sendable {
  /// The caller's unique name.
  public let sender: String
  /// The object that is called.
  public let path: ObjectPath
  /// The interface. For a call without one, ``ExportedObject/handle(_:)`` gets that of the method which was chosen.
  public internal(set) var interface: String?
  /// The method.
  public let member: String
  /// Whose connection the call came from; nil unless the connection was opened with an ``AdmissionRule``.
  public internal(set) var credentials: PeerCredentials?
  /// What it is called with.
  public let arguments: [Value]
  /// Whether the caller waits for an answer.
  public var expectsReply: Bool { slot.expectsReply }
  /// The caller's number for the message.
  public let serial: UInt32

  /// The types of the arguments, as type codes.
  public let signature: String
  /// The types that the method's results must have; nil as long as the method is not known.
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
    slot = ReplySlot(connection: connection, sender: message.sender, serial: message.serial, expectsReply: expectsReply)
  }

  /// Answers with the method's results.
  ///
  /// On the connection's serial executor the answer is sent at once, so its order with signals is that of the calls; elsewhere
  /// it is queued there in order. Values that do not have the types of the method's description, or are beyond the
  /// connection's limits, are answered by `LimitsExceeded` instead.
  public func reply(_ values: [Value] = []) { slot.answer(.success(values), results: results) }

  /// Answers with an error, in the same way.
  public func fail(_ error: DBusError) { slot.answer(.failure(error), results: nil) }

  /// Leaves the call without an answer, because nobody is there to get it.
  func abandon() { slot.abandon() }
}

/// Where an answer goes, once.
final class ReplySlot: Sendable {
  let connection: Connection
  let sender: String
  let serial: UInt32
  let expectsReply: Bool
  private let isAnswered = Atomic(false)

  init(connection: Connection, sender: String, serial: UInt32, expectsReply: Bool) {
    self.connection = connection
    self.sender = sender
    self.serial = serial
    self.expectsReply = expectsReply
  }

  deinit {
    guard expectsReply, !isAnswered.load(ordering: .relaxed) else { return }
    let (connection, sender, serial) = (connection, sender, serial)
    let error = DBusError.failed("The service dropped the call without an answer")
    connection.loop.post {
      connection.assumeIsolated { $0.answer(.failure(error), results: nil, sender: sender, serial: serial) }
    }
  }

  func abandon() { isAnswered.store(true, ordering: .relaxed) }

  func answer(_ answer: Result<[Value], DBusError>, results: String?) {
    guard !isAnswered.exchange(true, ordering: .relaxed), expectsReply else { return }
    connection.runIsolated { [sender, serial] in $0.answer(answer, results: results, sender: sender, serial: serial) }
  }
}
