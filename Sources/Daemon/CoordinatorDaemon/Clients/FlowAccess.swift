import DBus
import Glibc

/// The rules that restrict flows to some of the users who may call a daemon.
///
/// A flow without a rule is open to all users whom ``CallerRule`` admits. Two kinds of rules exist:
/// - A rule of use restricts starting the flow, and all calls that concern the flow trees whose root it is.
/// - A rule of answers restricts the calls that answer a coordinator of the flow, wherever it is in a tree. Other users may
///   still see the tree.
///
/// A flow that runs as root is closed to all but root until rules name others.
public struct FlowAccess: Sendable, Hashable {
  /// The users to whom a flow, or its answers, are restricted.
  public struct Rule: Sendable, Hashable {
    /// The ids of the users.
    public var users: Set<UInt32>
    /// The ids of the groups whose members are admitted as well.
    public var groups: Set<UInt32>
    /// How errors call these users and groups, such as "ada" and "members of the group netdev".
    public var names: [String]

    /// Creates a rule.
    public init(users: Set<UInt32> = [], groups: Set<UInt32> = [], names: [String] = []) {
      self.users = users
      self.groups = groups
      self.names = names
    }

    fileprivate func admits(_ user: UInt32, in memberships: Set<UInt32>?) -> Bool {
      users.contains(user) || !groups.isDisjoint(with: memberships ?? [])
    }
  }

  /// The rules of use, by the name of the flow.
  public var rules: [String: Rule]
  /// The rules of answers, by the name of the flow.
  public var answerRules: [String: Rule]
  /// The ids of the users whom no rule restricts.
  public var unrestricted: Set<UInt32>
  /// The flows that run as root, which other users may use or answer only if a rule names them.
  package private(set) var closed: Set<String> = []

  /// Creates rules. By default, no rule restricts root and the daemon's own user.
  public init(
    _ rules: [String: Rule] = [:], answering answerRules: [String: Rule] = [:], unrestricted: Set<UInt32> = [0, geteuid()]
  ) {
    self.rules = rules
    self.answerRules = answerRules
    self.unrestricted = unrestricted
  }

  /// Closes flows that run as root. They stay closed, even if no program serves them any more.
  package mutating func close(_ flows: some Sequence<String>) { closed.formUnion(flows) }

  /// Whether any flow is restricted to some users.
  var restrictsUse: Bool { !rules.isEmpty || !closed.isEmpty }
  /// Whether the answers of any flow are restricted to some users.
  var restrictsAnswers: Bool { !answerRules.isEmpty || !closed.isEmpty }

  private func rule(of flow: String) -> Rule? { rules[flow] ?? (closed.contains(flow) ? Rule() : nil) }

  private func answerRule(of flow: String) -> Rule? { answerRules[flow] ?? (closed.contains(flow) ? rule(of: flow) : nil) }

  /// Returns whether a caller may start a flow, and use its trees.
  ///
  /// - Parameters:
  ///   - peer: the caller, with its groups; nil if unknown.
  ///   - flow: the name of the flow.
  /// - Returns: whether it may.
  func admits(_ peer: PeerCredentials?, to flow: String) -> Bool {
    admits(peer, by: rule(of: flow), isRestricted: isRestricted(flow))
  }

  /// Returns the first of some flows whose rule of answers does not admit a caller.
  ///
  /// - Parameters:
  ///   - flows: the flows of the answered coordinator and of all those above it. The rule of each applies: an event that the
  ///     coordinator does not take goes to its parent, so a rule of a child must not admit more users than that of its parent.
  ///   - peer: the caller, with its groups; nil if unknown.
  /// - Returns: the flow; nil if the caller may answer.
  func flow(of flows: [String], whoseAnswersAreClosedTo peer: PeerCredentials?) -> String? {
    flows.first { flow in
      let rule = answerRule(of: flow)
      return !admits(peer, by: rule, isRestricted: rule != nil || restrictsAnswers && flow.isEmpty)
    }
  }

  /// Returns whether a flow is restricted. If any flow is restricted, so is a held tree whose flow cannot be read, because it
  /// may be that flow.
  ///
  /// - Parameter flow: the name of the flow; "" if it cannot be read.
  /// - Returns: whether some users may not use it.
  func isRestricted(_ flow: String) -> Bool { rule(of: flow) != nil || restrictsUse && flow.isEmpty }

  /// Returns the flows that a caller may not start.
  func flows(hiddenFrom peer: PeerCredentials?) -> Set<String> {
    restrictsUse ? closed.union(rules.keys).union([""]).filter { !admits(peer, to: $0) } : []
  }

  /// Returns whether a caller is one of the users whom no rule restricts.
  func isUnrestricted(_ peer: PeerCredentials?) -> Bool { peer?.user.map(unrestricted.contains) ?? false }

  private func admits(_ peer: PeerCredentials?, by rule: Rule?, isRestricted: Bool) -> Bool {
    guard isRestricted else { return true }
    guard let peer, let user = peer.user else { return false }
    return unrestricted.contains(user) || rule?.admits(user, in: peer.groups) == true
  }
}

extension FlowAccess {
  /// The maximum number of names in an error, so that a long rule does not make a long message.
  private static let mostNames = 8

  /// Returns why a caller may not use a flow.
  func reason(againstUsing flow: String) -> String {
    closed.contains(flow) && rules[flow] == nil
      ? "it runs as root, and the daemon's configuration names nobody else who may (Users= and Groups= in [Flow NAME])"
      : "the daemon's configuration restricts it to others"
  }

  /// Returns the message of the error for a caller who may not answer a flow.
  func reason(againstAnswering flow: String) -> String {
    guard !flow.isEmpty else { return "which flow it is cannot be read, so only root and the daemon's own user may answer it" }
    let names = answerRule(of: flow)?.names ?? []
    guard !names.isEmpty || !closed.contains(flow) else {
      return "the flow '\(flow)' runs as root, and the daemon's configuration names nobody else who may answer it"
    }
    var who = Array(names.prefix(Self.mostNames))
    if names.count > who.count { who.append("\(names.count - who.count) others") }
    let last = who.popLast() ?? "others"
    let list = who.isEmpty ? last : who.joined(separator: ", ") + " and " + last
    return "the daemon's configuration lets only \(list) answer the flow '\(flow)'"
  }
}
