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

  /// Refuses a call that concerns a flow to which the caller has no access, or answers one that the caller may only see.
  ///
  /// - Parameter call: a call to any object.
  /// - Returns: whether the call was refused.
  func refuses(_ call: IncomingCall) -> Bool {
    guard let (flow, error) = refusal(ofUseBy: call) ?? refusal(ofAnswerBy: call) else { return false }
    call.fail(error)
    // The call may have contained a secret.
    if !call.signature.isEmpty { bus.forgetReceivedBytes() }
    let user = Self.name(ofUserOf: call)
    logger.info("refused a caller", metadata: ["user": "\(user)", "flow": "\(flow)", "error": "\(error.name)"])
    return true
  }

  private func refusal(ofUseBy call: IncomingCall) -> (flow: String, error: DBusError)? {
    let access = access
    guard access.restrictsUse,
      let flow = flows(concerning: call).first(where: { !access.admits(call.credentials, to: $0) })
    else { return nil }
    // The message contains no name that the caller has not sent.
    let isNamed = call.arguments.first?.string == flow
    let what = isNamed ? "the flow '\(flow)'" : "this flow"
    let user = Self.name(ofUserOf: call)
    return (flow, .accessDenied("\(user) may not use \(what): \(access.reason(againstUsing: flow))"))
  }

  private static func name(ofUserOf call: IncomingCall) -> String {
    call.credentials?.user.map { "user \($0)" } ?? "an unknown user"
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
    guard let flow, settings.configuration.access.restrictsUse else { return .everyone }
    let access = access
    guard access.isRestricted(flow) else { return .everyone }
    return .only(renderers.filter { access.admits($0.value.peer, to: flow) }.keys.sorted())
  }

  /// Returns the clients that may receive the signals of a root's tree.
  func hearers(of name: String) -> Hearers {
    guard settings.configuration.access.restrictsUse, let root = roots.hosted(name) else { return .everyone }
    return hearers(of: root.flow, root.clients.renderers)
  }

  /// Returns the error for a caller that may not force the end of a coordinator; nil for root and the daemon's own user.
  func refusal(ofForceBy call: IncomingCall) -> DBusError? {
    guard !access.isUnrestricted(call.credentials) else { return nil }
    logger.info("refused a caller", metadata: ["user": "\(Self.name(ofUserOf: call))", "option": "force"])
    return .accessDenied("only root and the daemon's own user may force the end of a flow")
  }

  // MARK: Answering

  /// The methods of coordinators and routers that only show a tree. All others count as answers, so that a new method is
  /// restricted until its author lists it here.
  static let seeing: Set = ["Attach", "Detach", "MayAnswer"]

  private func refusal(ofAnswerBy call: IncomingCall) -> (flow: String, error: DBusError)? {
    guard access.restrictsAnswers, let path = CoordinatorPath(objectPath: call.path),
      (path.isRouter ? Contract.router : Contract.coordinator).method(call.member) != nil, !Self.seeing.contains(call.member)
    else { return nil }
    guard path.isRouter, let number = call.arguments.first?.uint64, let state = roots.live[String(path.root)]?.state else {
      return refusal(of: call.credentials, answering: path)
    }
    let screen = ScreenID(number)
    if let owner = state.window[screen]?.coordinator { return refusal(of: call.credentials, answering: owner) }
    if let refusal = refusal(of: call.credentials, answering: path) { return refusal }
    // A screen that is presented while the call waits for its turn could belong to any flow.
    return state.hasSeen(screen) ? nil : (roots.flow(of: String(path.root)) ?? "", ContractError.unknownScreen(number).dbusError)
  }

  private func refusal(of peer: PeerCredentials?, answering path: CoordinatorPath) -> (flow: String, error: DBusError)? {
    let access = access
    guard let flow = access.flow(of: flows(above: path), whoseAnswersAreClosedTo: peer) else { return nil }
    return (flow, ContractError.mayNotAnswer(message: access.reason(againstAnswering: flow)).dbusError)
  }

  /// Returns the flows of a coordinator, as far as it is known, and of all those above it.
  private func flows(above path: CoordinatorPath) -> [String] {
    let name = String(path.root)
    let root = roots.hosted(name)
    var flows: [String] = []
    var next: CoordinatorPath? = path.isRouter ? nil : path
    while let path = next {
      if let flow = root?.coordinator(at: path)?.flow { flows.append(flow) }
      next = path.parent
    }
    return flows + [roots.flow(of: name)].compactMap(\.self)
  }

  /// Handles `MayAnswer`.
  func mayAnswer(_ call: IncomingCall, _ path: CoordinatorPath) {
    let refusal = refusal(of: call.credentials, answering: path)
    call.reply([.boolean(refusal == nil), .string(refusal?.error.message ?? "")])
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
