import CoordinatorBus
import CoordinatorKit
import DBus

/// Applies the rules that restrict flows to some users.
extension FlowHost {
  /// Refuses a call that concerns a flow which is restricted to others.
  ///
  /// - Parameter call: a call to any object.
  /// - Returns: whether the call was refused.
  func refuseByRule(_ call: IncomingCall) -> Bool {
    guard !configuration.access.rules.isEmpty else { return false }
    let access = configuration.access
    guard let flow = flows(concerning: call).first(where: { !access.admits(call.credentials, to: $0) }) else { return false }
    let user = call.credentials?.user.map { "user \($0)" } ?? "an unknown user"
    // A name that the caller has not given itself is nothing to tell.
    let isNamed = call.arguments.first?.string == flow
    let what = isNamed ? "the flow '\(flow)'" : "this flow"
    call.fail(.accessDenied("\(user) may not use \(what): the daemon's configuration restricts it to others"))
    // It may have contained a secret.
    if !call.signature.isEmpty { bus.forgetReceivedBytes() }
    logger.info("refused a caller", metadata: ["user": "\(user)", "flow": "\(flow)"])
    return true
  }

  /// Returns the names of the flows that a call starts, and of those whose trees it concerns. Arguments of wrong types
  /// concern no flow: the call is refused because of them.
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

  /// Returns who may hear the signals of a flow's tree: everyone or, if the flow is restricted, the attached renderers
  /// whose users may use it. Nobody else is known to be allowed to.
  func hearers(of flow: String?, _ renderers: [String: RendererCapabilities]) -> Hearers {
    guard let flow, !configuration.access.rules.isEmpty else { return .everyone }
    let access = configuration.access
    guard access.isRestricted(flow) else { return .everyone }
    return .only(renderers.filter { access.admits($0.value.peer, to: flow) }.keys.sorted())
  }

  /// Returns who may hear the signals of a root's tree.
  func hearers(of name: String) -> Hearers {
    guard !configuration.access.rules.isEmpty, let root = roots.hosted(name) else { return .everyone }
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

/// The objects that a caller sees from whom some flows are hidden.
struct VisibleObjects: ObjectSource {
  let host: FlowHost
  /// The flows whose trees are hidden.
  let hidden: Set<String>

  var objectManagerPath: ObjectPath? { host.objectManagerPath }
  var managedStamp: UInt64 { host.managedStamp }
  // Names may contain spaces and commas; a description quotes them.
  var managedView: String { "without \(hidden.sorted())" }

  func object(at path: ObjectPath) -> (any ExportedObject)? { host.object(at: path) }
  func childNames(of path: ObjectPath) -> [String] { host.assumeIsolated { $0.roots.names(below: path, hiding: hidden) } }
  func managedPaths() -> [ObjectPath] { host.assumeIsolated { $0.roots.objectPaths(hiding: hidden) } }
  func managedSize() -> Int { host.assumeIsolated { $0.roots.roughSize(hiding: hidden) } }
}
