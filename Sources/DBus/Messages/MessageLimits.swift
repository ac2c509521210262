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
  /// Bytes that wait to be sent. While there are more, signals and calls are refused with `LimitsExceeded`, and no further
  /// call from others is taken, so that replies, which are never dropped, cannot pile up either.
  public var outgoingQueue: Int
  /// How many calls of one sender may be under way at once; further ones wait in line until one of these is answered.
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
