/// The owner of a connection to the bus, as the kernel reported it to the bus: that of the connecting process at the
/// time it connected.
public struct PeerCredentials: Sendable, Hashable {
  /// The user id; nil if the bus does not know it, as over TCP.
  public var user: UInt32?
  /// The ids of all groups, including the primary one; nil if the bus does not report them.
  public var groups: Set<UInt32>?

  /// Creates credentials.
  public init(user: UInt32? = nil, groups: Set<UInt32>? = nil) {
    self.user = user
    self.groups = groups
  }

  /// Whether the bus itself does not support `GetConnectionCredentials`, so that only the user can be queried: it lacks the
  /// method, or its answer contains a file descriptor (`ProcessFD`, since dbus-daemon 1.16).
  static func isAbsent(_ error: any Error) -> Bool {
    switch error {
    case let error as DBusError: error.isStandard("UnknownMethod")
    case ConnectionError.unreadableReply: true
    default: false
    }
  }

  /// Decodes the answer of `GetConnectionCredentials`; nil if it is malformed. Keys with a value of the wrong type are
  /// treated as missing.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.GetConnectionCredentials".
  init?(reply: [Value]) {
    guard let entries = reply.first?.vardict else { return nil }
    if case .uint32(let user)? = entries["UnixUserID"] { self.user = user }
    if case .array(of: .uint32, let groups)? = entries["UnixGroupIDs"] {
      self.groups = Set(groups.compactMap { if case .uint32(let group) = $0 { group } else { nil } })
    }
  }
}
