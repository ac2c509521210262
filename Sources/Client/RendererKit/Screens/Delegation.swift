import CoordinatorKit
import DBus

/// An event on a screen, ready to be delegated.
public struct Delegation: Sendable, Hashable {
  /// The path of the coordinator that owns the screen.
  public var coordinator: ObjectPath
  /// The id of the screen.
  public var screen: UInt64
  /// The name of the event.
  public var event: String
  /// The payload of the event.
  public var payload: [String: JSONValue]
  /// The revision that the user was looking at.
  public var seen: UInt64

  /// Creates a delegation with the given values.
  public init(
    coordinator: ObjectPath, screen: UInt64, event: String, payload: [String: JSONValue] = [:], seen: UInt64
  ) {
    self.coordinator = coordinator
    self.screen = screen
    self.event = event
    self.payload = payload
    self.seen = seen
  }
}
