/// The limits on clients.
public struct ServerLimits: Sendable, Hashable {
  /// The size limits of a request.
  public var request = RequestLimits()
  /// The maximum number of connections. Beyond it, the oldest connection that has not sent its request yet is closed;
  /// if most have sent nothing at all, the oldest of these.
  public var connections = 64
  /// The maximum number of connections that listen to events.
  public var listeners = 24
  /// The timeout for receiving a request.
  public var requestTime = Duration.seconds(10)
  /// The timeout for sending a response or an event.
  public var writeTime = Duration.seconds(30)
  /// The time that a refused client has to stop sending.
  public var lingerTime = Duration.seconds(1)

  /// Creates the default limits.
  public init() {}
}
