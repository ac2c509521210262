import CoordinatorBus
import CoordinatorKit
import DBus
import Glibc
import Logging

/// Applies the rules that restrict flows to some users. Used only on the host's executor.
final class AccessPolicy {
  private let settings: HostSettings
  private let roots: RootRegistry
  private let bus: BusSender
  private let logger: Logger

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - settings: has the rules.
  ///   - roots: knows the flows of trees.
  init(of host: HostServices, settings: HostSettings, roots: RootRegistry) {
    (bus, logger) = (host.bus, host.logger)
    (self.settings, self.roots) = (settings, roots)
  }

  private var access: FlowAccess { settings.configuration.access }

  /// Returns the flows that a caller may not start.
  func flows(hiddenFrom call: IncomingCall) -> Set<String> { access.flows(hiddenFrom: call.credentials) }

  /// Refuses a call that concerns a flow to which the caller has no access.
  ///
  /// - Parameter call: a call to any object.
  /// - Returns: whether the call was refused.
  func refuses(_ call: IncomingCall) -> Bool {
    guard !settings.configuration.access.rules.isEmpty else { return false }
    let access = access
    guard let flow = flows(concerning: call).first(where: { !access.admits(call.credentials, to: $0) }) else { return false }
    let user = call.credentials?.user.map { "user \($0)" } ?? "an unknown user"
    // The message contains no name that the caller has not sent.
    let isNamed = call.arguments.first?.string == flow
    let what = isNamed ? "the flow '\(flow)'" : "this flow"
    call.fail(.accessDenied("\(user) may not use \(what): the daemon's configuration restricts it to others"))
    // The call may have contained a secret.
    if !call.signature.isEmpty { bus.forgetReceivedBytes() }
    logger.info("refused a caller", metadata: ["user": "\(user)", "flow": "\(flow)"])
    return true
  }

  /// Returns the names of the flows that a call starts, and of those whose trees it concerns. Arguments of wrong types concern
  /// no flow, because the call is refused for its types.
  private func flows(concerning call: IncomingCall) -> [String] {
    let first = call.arguments.first
    guard call.path != Contract.rootPath else {
      switch call.member {
      case "StartFlow", "RunFlow": return first?.string.map { [$0] } ?? []
      case "GetOutcome", "GetEnding", "ReadState": return first?.objectPath.flatMap(flow).map { [$0] } ?? []
      case "Forget": return first?.string.flatMap(roots.flow).map { [$0] } ?? []
      default: return []
      }
    }
    let started = call.member == "StartChild" ? first?.string : nil
    return [flow(of: call.path), started].compactMap(\.self)
  }

  /// Returns the clients that may receive the signals of a flow's tree: all clients or, if the flow is restricted, the attached
  /// renderers whose users may use it. The daemon does not know the users of other clients.
  func hearers(of flow: String?, _ renderers: [String: RendererCapabilities]) -> Hearers {
    guard let flow, !settings.configuration.access.rules.isEmpty else { return .everyone }
    let access = access
    guard access.isRestricted(flow) else { return .everyone }
    return .only(renderers.filter { access.admits($0.value.peer, to: flow) }.keys.sorted())
  }

  /// Returns the clients that may receive the signals of a root's tree.
  func hearers(of name: String) -> Hearers {
    guard !settings.configuration.access.rules.isEmpty, let root = roots.hosted(name) else { return .everyone }
    return hearers(of: root.flow, root.clients.renderers)
  }

  private func flow(of path: ObjectPath) -> String? {
    CoordinatorPath(objectPath: path).flatMap { roots.flow(of: String($0.root)) }
  }
}

extension RootRegistry {
  /// Returns the flow of a root, whether it is being started, live, held, being restored, or ended; nil if the root is unknown.
  func flow(of name: String) -> String? {
    starting[name]?.request.flow ?? hosted(name)?.flow ?? restoring[name] ?? ended[name]?.flow
  }
}

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
  ///   - peer: the caller, with its groups; nil if unknown.
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
