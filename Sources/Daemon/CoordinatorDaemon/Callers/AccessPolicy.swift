import CoordinatorBus
import CoordinatorKit
import DBus
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
    // The message reveals no name that the caller has not given.
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

  /// Returns the clients that may hear the signals of a flow's tree: everyone or, if the flow is restricted, the attached
  /// renderers whose users may use it. Of other clients, the daemon does not know whether they may.
  func hearers(of flow: String?, _ renderers: [String: RendererCapabilities]) -> Hearers {
    guard let flow, !settings.configuration.access.rules.isEmpty else { return .everyone }
    let access = access
    guard access.isRestricted(flow) else { return .everyone }
    return .only(renderers.filter { access.admits($0.value.peer, to: flow) }.keys.sorted())
  }

  /// Returns the clients that may hear the signals of a root's tree.
  func hearers(of name: String) -> Hearers {
    guard !settings.configuration.access.rules.isEmpty, let root = roots.hosted(name) else { return .everyone }
    return hearers(of: root.flow, root.clients.renderers)
  }

  private func flow(of path: ObjectPath) -> String? {
    CoordinatorPath(objectPath: path).flatMap { roots.flow(of: String($0.root)) }
  }
}

extension RootRegistry {
  /// Returns the flow of a root, whether it is being started, live, held, being restored, or ended; nil if the root is
  /// not known.
  func flow(of name: String) -> String? {
    starting[name]?.request.flow ?? hosted(name)?.flow ?? restoring[name] ?? ended[name]?.flow
  }
}
