import CoordinatorBus
import CoordinatorKit
import DBus
import Hardening

/// From a call on the bus to a call on a tree.
extension FlowHost {
  /// Delegate
  func delegation(_ call: IncomingCall, _ path: CoordinatorPath) throws(DBusError) -> (TreeCall, String?) {
    var arguments = Arguments(call)
    let screen = try arguments.unsigned()
    let event = try arguments.name()
    let payload = try arguments.value()
    let options = try Options(arguments.value(), allowing: [.request, .seen])
    let id = screen == 0 ? nil : ScreenID(screen)
    let asked = TreeCall.delegate(
      path, screen: id, event: event, payload: try object(from: payload), seen: options.seen)
    return (asked, options.request)
  }

  /// Dismiss
  func dismissal(_ call: IncomingCall, _ path: CoordinatorPath) throws(DBusError) -> (TreeCall, String?) {
    var arguments = Arguments(call)
    let isAnimated = try arguments.boolean()
    let options = try Options(arguments.value(), allowing: [.request])
    return (.dismiss(path, animated: isAnimated), options.request)
  }

  /// StartChild
  func childStart(_ call: IncomingCall, _ path: CoordinatorPath) throws(DBusError) -> (TreeCall, String?) {
    var arguments = Arguments(call)
    let flow = try arguments.name()
    let input = try arguments.value()
    let options = try Options(arguments.value(), allowing: [.request, .style])
    let router: RouterKind = options.style == .modal ? .modal : .navigation
    return (.startChild(path, flow: flow, input: try object(from: input), router: router), options.request)
  }

  /// Back
  func goingBack(_ call: IncomingCall) throws(DBusError) -> (TreeCall, String?) {
    var arguments = Arguments(call)
    let screen = try arguments.unsigned()
    let options = try Options(arguments.value(), allowing: [.request])
    return (.back(ScreenID(screen)), options.request)
  }

  /// SaveDraft
  func draftSaving(_ call: IncomingCall) throws(DBusError) -> (TreeCall, String?) {
    var arguments = Arguments(call)
    let screen = try arguments.unsigned()
    let values = try arguments.value()
    _ = try Options(arguments.value(), allowing: [])
    return (.saveDraft(ScreenID(screen), try object(from: values)), nil)
  }

  /// Posts a call to its tree, whose answer becomes the reply.
  func post(
    _ call: IncomingCall, to path: CoordinatorPath, _ read: () throws(DBusError) -> (TreeCall, String?)
  ) {
    // A call that cannot be read may have held one.
    var isConfidential = true
    defer { if isConfidential { forgetReceivedBytes() } }
    do throws(DBusError) {
      let (asked, key) = try read()
      if let error = roots.refusal(of: asked, to: String(path.root)) { throw error }
      let root = liveRoot(of: path)
      let mayHoldSecret = asked.mayHoldSecret(for: root?.state)
      isConfidential = mayHoldSecret
      if root == nil, let held = roots.held[String(path.root)] { return post(call, asked, key: key, toHeld: held) }
      guard let root else { throw CallError.unknownCoordinator(path).dbusError }
      root.tree.post(asked, key: key, caller: call.caller) { [connection] in
        call.answer($0, to: asked)
        if case .failure(let error) = $0 { self.logRefusal(of: call, at: path, error) }
        if mayHoldSecret { connection.loop.post(ProcessHardening.clearStack) }
      }
    } catch {
      call.fail(error)
    }
  }
}

extension FlowHost {
  private func forgetReceivedBytes() {
    attempt("overwrite received bytes") { connection throws(DBusError) in try connection.forgetReceivedBytes() }
  }
}

extension TreeCall {
  /// Whether the call may bring the value of a secret field: also when it is refused because the screen is gone.
  fileprivate func mayHoldSecret(for state: TreeState?) -> Bool {
    switch self {
    case .delegate(_, let id, _, let payload, _): Self.mayHoldSecret(payload, of: id, in: state)
    // It is refused then; but it has been sent.
    case .saveDraft(let id, let values): Self.mayHoldSecret(values, of: id, in: state)
    case .back, .dismiss, .startChild: false
    }
  }

  private static func mayHoldSecret(_ values: [String: JSONValue], of id: ScreenID?, in state: TreeState?) -> Bool {
    guard !values.isEmpty else { return false }
    guard let id, let screen = state?.window[id] else { return true }
    return screen.content.form?.schema.secretFields.isEmpty == false
  }
}

extension IncomingCall {
  /// Who calls, for the history.
  var caller: Caller { Caller(user: credentials?.user, name: sender) }

  /// Answers as a tree has answered.
  func answer(_ result: Result<TreeAnswer, CallError>, to asked: TreeCall) {
    if case (.saveDraft, .success) = (asked, result) { return reply() }
    switch result {
    case .success(.revision(let revision)): reply([.uint64(revision)])
    case .success(.child(let path)): reply([.objectPath(path.objectPath)])
    case .failure(let error): fail(error.dbusError)
    }
  }
}
