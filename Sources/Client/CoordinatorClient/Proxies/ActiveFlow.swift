import DBus

/// An active root coordinator.
public struct ActiveFlow: Sendable, Hashable {
  /// The path of the root coordinator.
  public var coordinator: ObjectPath
  /// The name of the flow.
  public var flow: String
  /// The token that the caller assigned, or nil if there is none.
  public var token: String?
  /// The start time, in microseconds since 1970.
  public var startedAt: UInt64

  /// Creates an entry from the values that the daemon lists.
  public init(coordinator: ObjectPath, flow: String, token: String?, startedAt: UInt64) {
    self.coordinator = coordinator
    self.flow = flow
    self.token = token
    self.startedAt = startedAt
  }
}
