/// Which screen was answered, and who did it.
public struct Answer: Sendable, Hashable {
  /// The id of the screen that was answered.
  public var screen: UInt64
  /// The event that was delegated; empty for Back.
  public var event: String
  /// What kind of renderer the client attached as: "terminal"; empty if it did not.
  public var kind: String
  /// The unique name of the client on the bus.
  public var client: String

  /// Puts an answer together.
  public init(screen: UInt64, event: String, kind: String, client: String) {
    self.screen = screen
    self.event = event
    self.kind = kind
    self.client = client
  }
}
