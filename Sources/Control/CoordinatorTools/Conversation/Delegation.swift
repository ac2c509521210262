import CoordinatorKit
import DBus

/// What a person did on a screen, ready to be delegated.
public struct Delegation: Sendable, Hashable {
  /// The coordinator that the screen belongs to.
  public var coordinator: ObjectPath
  /// The screen's id.
  public var screen: UInt64
  /// The event.
  public var event: String
  /// What goes with it.
  public var payload: [String: JSONValue]
  /// The revision that the person was looking at.
  public var seen: UInt64

  /// An event with everything that goes with it.
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
