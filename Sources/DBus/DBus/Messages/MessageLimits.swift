/// The limits of a connection for outgoing and incoming messages.
///
/// The bus disconnects clients that send more than it allows, so outgoing messages are checked before libdbus sees
/// them.
public struct MessageLimits: Sendable, Hashable {
  /// The maximum size of an outgoing message in bytes. A larger one fails with `LimitsExceeded`, which `call` and
  /// `emit` throw; a reply is replaced by that error.
  public var size: Int
  /// The maximum nesting of containers in an outgoing message, at most 64.
  public var depth: Int
  /// The maximum size of all strings in an incoming message in bytes.
  public var incomingSize: Int
  /// The maximum number of values in an incoming message, where containers and their elements each count. Bounds the
  /// memory that decoding needs.
  public var incomingValues: Int
  /// The maximum nesting of containers in an incoming message, at most 64.
  public var incomingDepth: Int
  /// The number of bytes that may wait to be sent. While more are waiting, outgoing calls are refused with
  /// `LimitsExceeded`, and no further incoming message is dispatched. Signals and replies are never refused for this
  /// reason.
  public var outgoingQueue: Int
  /// The number of waiting bytes above which no further large answer is sent, because everything sent after one waits
  /// behind it.
  public var largeAnswerQueue = 1 << 20
  /// The number of bytes waiting to be sent to one sender above which that sender's further calls are queued.
  public var unsentPerSender = 1 << 20
  /// The number of bytes of large answers to cache, so that they can be sent again while they are up to date.
  public var keptAnswers = 32 << 20
  /// Whether waiting calls are counted for all connections of a user together, where the bus has reported the user. In
  /// the limits below, "sender" then means a user unless noted otherwise.
  public var countsByUser = false
  /// The number of calls of one sender that may be in progress at once, always counted for each connection separately.
  /// Further calls are queued until one of them is answered.
  public var callsUnderWayPerSender = 64
  /// The number of calls of one sender that may wait for their answer, whether queued or in progress. Further ones are
  /// answered with `LimitsExceeded`. Calls that are answered immediately do not count.
  public var waitingCallsPerSender = 1_024
  /// The approximate memory that the arguments of these calls may use, in bytes.
  public var waitingBytesPerSender = 16 << 20
  /// The number of calls of all senders that may wait for their answer.
  public var waitingCalls = 16_384
  /// The approximate memory that the arguments of these calls may use, in bytes.
  public var waitingBytes = 64 << 20
  /// The number of calls of one sender that may wait for long; see ``IncomingCall/waitForLong()``.
  public var longCallsPerSender = 10_000
  /// The number of calls of all senders that may wait for long.
  public var longCalls = 20_000

  /// Limits that suit most services.
  public static let `default` = MessageLimits()

  /// Creates limits; those not given are as in ``default``.
  public init(
    size: Int = 16 << 20, depth: Int = WireLimits.depth, incomingSize: Int = 16 << 20, incomingValues: Int = 1 << 20,
    incomingDepth: Int = WireLimits.depth, outgoingQueue: Int = 64 << 20
  ) {
    self.size = min(size, WireLimits.messageSize)
    self.depth = min(depth, WireLimits.depth)
    self.incomingSize = incomingSize
    self.incomingValues = incomingValues
    self.incomingDepth = min(incomingDepth, WireLimits.depth)
    self.outgoingQueue = outgoingQueue
  }
}
