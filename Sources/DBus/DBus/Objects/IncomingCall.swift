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
  public private(set) var arguments: [Value]
  /// Whether the caller waits for an answer.
  public var expectsReply: Bool { slot.expectsReply }
  /// For whose limits the call counts: the caller's unique name, or what stands for its user where the connection counts by user.
  public var account: String { slot.account }
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
    slot = ReplySlot(
      connection: connection, sender: message.sender, serial: message.serial, expectsReply: expectsReply, cost: message.size)
  }

  /// Answers with the method's results.
  ///
  /// On the connection's serial executor the answer is sent at once, so its order with signals is that of the calls; elsewhere
  /// it is queued there in order. Values that do not have the types of the method's description, or are beyond the
  /// connection's limits, are answered by `LimitsExceeded` instead.
  public func reply(_ values: [Value] = []) { slot.answer(.success(values), results: results) }

  /// Answers with an error, in the same way.
  public func fail(_ error: DBusError) { slot.answer(.failure(error), results: nil) }

  /// Answers with results that take time to make: beside the loop, when those who have asked for such before have theirs, and what is sent
  /// has room. Who gets no large answer, and all signals, go on meanwhile; further calls of the same sender wait. To be called on the
  /// connection's serial executor.
  ///
  /// - Parameter describe: Says what to answer, on the connection's serial executor, when it is the call's turn: what is true then. If it is
  ///   true no more when the answer is made, it is made again, twice at most.
  public func reply(inTurn describe: @escaping @Sendable () throws(DBusError) -> LargeAnswer) {
    replyInTurn(.described { _ throws(DBusError) in try describe() })
  }

  /// See ``reply(inTurn:)``.
  func replyInTurn(_ making: LargeAnswers.Pending.Making) {
    slot.connection.assumeIsolated { [slot, results] in $0.answerInTurn(slot, types: results, making) }
  }

  /// Leaves the call without an answer, because nobody is there to get it.
  func abandon() { slot.abandon() }

  /// Says that the answer will take long, as long as a person may: the call is then not counted among those that ``MessageLimits``
  /// has wait, but by itself, and gives up its arguments. To be called on the connection's serial executor.
  ///
  /// - Throws: `LimitsExceeded` if too many calls wait like this.
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
