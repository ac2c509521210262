import DBus
import Glibc

/// A rule that decides which users may call a daemon.
public struct CallerRule: Sendable, Hashable {
  /// The decision on a caller.
  enum Decision: Sendable, Hashable {
    case admit, refuse
    /// The decision depends on the groups of this user, which the bus did not provide.
    case lookUp(user: UInt32)
  }

  /// The ids of the users who may call.
  public var users: Set<UInt32>
  /// The group whose members may call as well; nil for none.
  public var group: UserGroup?

  /// Creates a rule that admits some users and the members of a group.
  public init(users: Set<UInt32>, group: UserGroup? = nil) {
    self.users = users
    self.group = group
  }

  /// Returns the default rule for a bus. On a session bus only the daemon's own user may call, not even root. On the
  /// system bus root, the daemon's own user and the members of `group` may.
  ///
  /// - Parameters:
  ///   - bus: the bus. A bus given by its address counts as a session bus.
  ///   - group: the group that may call on the system bus.
  ///   - own: the id of the daemon's own user.
  /// - Returns: the rule.
  public static func usual(on bus: BusAddress, group: UserGroup? = nil, own: UInt32 = geteuid()) -> CallerRule {
    switch bus {
    case .session, .address: CallerRule(users: [own])
    case .system: CallerRule(users: [0, own], group: group)
    }
  }

  /// Decides on a caller. A caller whose user the bus does not know is refused.
  func decide(on peer: PeerCredentials) -> Decision {
    guard let user = peer.user else { return .refuse }
    if users.contains(user) { return .admit }
    guard let group else { return .refuse }
    guard let groups = peer.groups else { return .lookUp(user: user) }
    return groups.contains(group.number) ? .admit : .refuse
  }
}

extension CallerRule: CustomStringConvertible {
  /// A description of the users that the rule admits.
  public var description: String {
    var all = users.sorted().map { $0 == 0 ? "root" : "user \($0)" }
    if let group { all.append("members of the group \(group.name)") }
    return all.count == 1 ? all[0] + " only" : all.joined(separator: ", ")
  }
}
