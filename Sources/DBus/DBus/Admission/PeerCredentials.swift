/// Whose a connection to the bus is, as the bus knows from the kernel: the state of its process when it connected.
public struct PeerCredentials: Sendable, Hashable {
  /// The number of its user; nil if the bus does not know, as over TCP.
  public var user: UInt32?
  /// The numbers of all of its groups, the primary one among them; nil if the bus does not tell.
  public var groups: Set<UInt32>?

  /// Puts credentials together.
  public init(user: UInt32? = nil, groups: Set<UInt32>? = nil) {
    self.user = user
    self.groups = groups
  }

  /// Reads what `GetConnectionCredentials` answers; nil if it is no such answer. Keys of a wrong type count as missing.
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
