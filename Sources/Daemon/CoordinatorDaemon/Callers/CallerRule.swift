import DBus
import Glibc

/// Who may call a daemon.
public struct CallerRule: Sendable, Hashable {
  /// What is to be done with a caller.
  enum Decision: Sendable, Hashable {
    case admit, refuse
    /// It depends on the groups of this user, which the bus did not tell.
    case lookUp(user: UInt32)
  }

  /// The numbers of the users who may.
  public var users: Set<UInt32>
  /// The group whose members may, too.
  public var group: UserGroup?

  /// Admits some users, and the members of a group.
  public init(users: Set<UInt32>, group: UserGroup? = nil) {
    self.users = users
    self.group = group
  }

  /// The rule for a bus. On that of a session only the daemon's own user may call, not even root. On that of the machine root and the
  /// daemon's own user may, and the members of `group`.
  ///
  /// - Parameters:
  ///   - bus: the bus; one that is named by its address counts as a session's.
  ///   - group: a group that may call on the bus of the machine.
  ///   - own: the daemon's own user.
  /// - Returns: the rule.
  public static func usual(on bus: BusAddress, group: UserGroup? = nil, own: UInt32 = geteuid()) -> CallerRule {
    switch bus {
    case .session, .address: CallerRule(users: [own])
    case .system: CallerRule(users: [0, own], group: group)
    }
  }

  /// What is to be done with a caller. Who is unknown to the bus is refused.
  func decide(on peer: PeerCredentials) -> Decision {
    guard let user = peer.user else { return .refuse }
    if users.contains(user) { return .admit }
    guard let group else { return .refuse }
    guard let groups = peer.groups else { return .lookUp(user: user) }
    return groups.contains(group.number) ? .admit : .refuse
  }
}

extension CallerRule: CustomStringConvertible {
  /// Whom it admits.
  public var description: String {
    var all = users.sorted().map { $0 == 0 ? "root" : "user \($0)" }
    if let group { all.append("members of the group \(group.name)") }
    return all.count == 1 ? all.joined() + " alone" : all.joined(separator: ", ")
  }
}
