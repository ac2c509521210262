import DBus
import Glibc

/// The rules that restrict flows to some of the users who may call a daemon.
///
/// A flow without a rule is open to all users whom ``CallerRule`` admits. A rule restricts starting the flow, and all calls
/// that concern the flow trees whose root it is.
public struct FlowAccess: Sendable, Hashable {
  /// The users to whom a flow is restricted.
  public struct Rule: Sendable, Hashable {
    /// The ids of the users.
    public var users: Set<UInt32>
    /// The ids of the groups whose members are admitted as well.
    public var groups: Set<UInt32>

    /// Creates a rule.
    public init(users: Set<UInt32> = [], groups: Set<UInt32> = []) {
      self.users = users
      self.groups = groups
    }
  }

  /// The rules, by the name of the flow.
  public var rules: [String: Rule]
  /// The ids of the users whom no rule restricts.
  public var unrestricted: Set<UInt32>

  /// Creates rules. By default, no rule restricts root and the daemon's own user.
  public init(_ rules: [String: Rule] = [:], unrestricted: Set<UInt32> = [0, geteuid()]) {
    self.rules = rules
    self.unrestricted = unrestricted
  }

  /// Returns whether a caller may start a flow, and use its trees.
  ///
  /// - Parameters:
  ///   - peer: the caller, with its groups; nil if it is not known.
  ///   - flow: the name of the flow.
  /// - Returns: whether it may.
  func admits(_ peer: PeerCredentials?, to flow: String) -> Bool {
    guard isRestricted(flow) else { return true }
    guard let peer, let user = peer.user else { return false }
    guard !unrestricted.contains(user) else { return true }
    guard let rule = rules[flow] else { return false }
    return rule.users.contains(user) || !rule.groups.isDisjoint(with: peer.groups ?? [])
  }

  /// Returns whether a flow is restricted. If any flow is restricted, so is a held tree whose flow cannot be read, because it
  /// may be that flow.
  ///
  /// - Parameter flow: the name of the flow; "" if it cannot be read.
  /// - Returns: whether some users may not use it.
  func isRestricted(_ flow: String) -> Bool { !rules.isEmpty && (flow.isEmpty || rules[flow] != nil) }

  /// Returns the flows that a caller may not start.
  func flows(hiddenFrom peer: PeerCredentials?) -> Set<String> {
    rules.isEmpty ? [] : Set((rules.keys + [""]).filter { !admits(peer, to: $0) })
  }
}
