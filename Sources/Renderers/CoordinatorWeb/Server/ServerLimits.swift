/// How much the server takes from its clients at once.
public struct ServerLimits: Sendable, Hashable {
  /// How much of one request is taken.
  public var request = RequestLimits()
  /// How many connections there may be. When there are more, the oldest that has not sent its request yet has to go.
  public var connections = 64
  /// How many of them may listen to events.
  public var listeners = 24
  /// How long a request may take to arrive.
  public var requestTime = Duration.seconds(10)
  /// How long a client may take to read an answer, or an event.
  public var writeTime = Duration.seconds(30)
  /// How long a client that was refused may take to stop sending.
  public var lingerTime = Duration.seconds(1)

  /// The limits that ship.
  public init() {}
}
