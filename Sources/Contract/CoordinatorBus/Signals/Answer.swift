/// The screen that was answered, and the client that answered it.
public struct Answer: Sendable, Hashable {
  /// The id of the screen that was answered.
  public var screen: UInt64
  /// The event that was delegated; empty for Back.
  public var event: String
  /// The kind of renderer that the client attached as, such as "terminal"; empty if it is not attached.
  public var kind: String
  /// The client's unique name on the bus.
  public var client: String
  /// Distinguishes the client from others of its kind, such as "pts/3, anna"; empty if unknown. Not part of the signal: the
  /// receiver reads it from the property Renderers.
  public var name = ""

  /// Creates an answer.
  public init(screen: UInt64, event: String, kind: String, client: String) {
    self.screen = screen
    self.event = event
    self.kind = kind
    self.client = client
  }
}
