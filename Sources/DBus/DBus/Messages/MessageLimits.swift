/// What a connection sends and takes at most.
///
/// The bus closes the connection of whoever sends more than it allows, so outgoing messages are checked before libdbus sees them.
public struct MessageLimits: Sendable, Hashable {
  /// Bytes of an outgoing message. More is `LimitsExceeded`: for the caller of `call` and `emit`, or as the answer instead of
  /// the reply.
  public var size: Int
  /// Containers within containers in an outgoing message, 64 at most.
  public var depth: Int
  /// Bytes of text in an incoming message.
  public var incomingSize: Int
  /// Values in an incoming message, containers and their elements counted alike: what bounds the memory to decode it.
  public var incomingValues: Int
  /// Containers within containers in an incoming message, 64 at most.
  public var incomingDepth: Int
  /// Bytes that wait to be sent. While there are more, calls are refused with `LimitsExceeded`, and no further call from others is taken.
  /// Signals and replies are never refused for it.
  public var outgoingQueue: Int
  /// Bytes that wait to be sent, beyond which no large answer is begun: what is sent after it waits behind it.
  public var largeAnswerQueue = 1 << 20
  /// Bytes that wait to be sent to one sender, beyond which its further calls wait in line.
  public var unsentPerSender = 1 << 20
  /// Bytes of large answers that are kept for a while, to be sent again as long as they are true.
  public var keptAnswers = 32 << 20
  /// Whether calls that wait are counted for all connections of a user together, where the bus has told whose they are. What follows and
  /// speaks of a sender then speaks of a user.
  public var countsByUser = false
  /// How many calls of one sender may be under way at once, each connection by itself; further ones wait in line until one of these is answered.
  public var callsUnderWayPerSender = 64
  /// How many calls of one sender may wait for their answer, in line or under way; another one is answered with `LimitsExceeded`. Those which are answered
  /// at once are not counted.
  public var waitingCallsPerSender = 1_024
  /// About how many bytes of memory the arguments of these may take up.
  public var waitingBytesPerSender = 16 << 20
  /// How many calls of all senders may wait for their answer.
  public var waitingCalls = 16_384
  /// About how many bytes of memory the arguments of these may take up.
  public var waitingBytes = 64 << 20
  /// How many calls of one sender may wait for long, as ``IncomingCall/waitForLong()`` says.
  public var longCallsPerSender = 10_000
  /// How many calls of all senders may wait for long.
  public var longCalls = 20_000

  /// Limits that suit most services.
  public static let `default` = MessageLimits()

  /// Sets limits; what is not named is as in ``default``.
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
