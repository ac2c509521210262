import DBus

/// A root coordinator that is active.
public struct ActiveFlow: Sendable, Hashable {
  /// Its object.
  public var coordinator: ObjectPath
  /// The flow's name.
  public var flow: String
  /// The token that its caller gave it.
  public var token: String?
  /// When it started, in microseconds since 1970.
  public var startedAt: UInt64

  /// A root coordinator with everything that the daemon lists of it.
  public init(coordinator: ObjectPath, flow: String, token: String?, startedAt: UInt64) {
    self.coordinator = coordinator
    self.flow = flow
    self.token = token
    self.startedAt = startedAt
  }
}
