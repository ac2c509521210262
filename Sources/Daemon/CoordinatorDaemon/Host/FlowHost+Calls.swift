import CoordinatorBus
import CoordinatorKit
import DBus
import Hardening

/// Passes calls on to the trees.
extension FlowHost {
  /// Posts a call to its tree, whose answer becomes the reply.
  ///
  /// - Parameters:
  ///   - call: the call, whose argument types have been checked.
  ///   - path: the path of a coordinator of the tree.
  func post(_ call: IncomingCall, to path: CoordinatorPath) {
    // A call that cannot be read may have contained a secret.
    var isConfidential = true
    defer { if isConfidential { bus.forgetReceivedBytes() } }
    do throws(DBusError) {
      let request = try read(call, at: path)
      let asked = request.call
      if let error = roots.refusal(of: asked, to: String(path.root)) { throw error }
      let root = liveRoot(of: path)
      let mayHoldSecret = asked.mayHoldSecret(for: root?.state)
      isConfidential = mayHoldSecret
      if root == nil, let held = roots.held[String(path.root)] { return post(call, request, toHeld: held) }
      guard let root else { throw CallError.unknownCoordinator(path).dbusError }
      root.tree.post(asked, key: request.key, caller: call.caller) { [connection] in
        call.answer($0, to: asked)
        if case .failure(let error) = $0 { self.log.logRefusal(of: call, at: path, error) }
        if mayHoldSecret { connection.loop.post(ProcessHardening.clearStack) }
      }
    } catch {
      call.fail(error)
    }
  }

  // MARK: Request keys

  /// Answers a repeated call with a request key from the published state, which contains the answer even if the called
  /// object is gone.
  ///
  /// - Returns: whether the call was answered. If not, its request is kept in ``readAhead`` for the object, which
  ///   handles the call next.
  func answerRepeated(_ call: IncomingCall) -> Bool {
    readAhead = nil
    guard CallReader.hasRequestKey(call.arguments), let path = CoordinatorPath(objectPath: call.path),
      let requests = requests(of: String(path.root)),
      let request = reader.keyedRequest(call.interface, call.member, call.arguments, at: path), let key = request.key
    else { return false }
    do throws(CallError) {
      guard let kept = try requests.answer(to: request.call, key: key) else {
        readAhead = (call.sender, call.serial, request)
        // It may hold a secret, and no object takes it if the call is refused for its object or its types.
        connection.loop.post { self.assumeIsolated { $0.readAhead = nil } }
        return false
      }
      call.answer(kept.result, to: request.call)
    } catch {
      call.fail(error.dbusError)
    }
    return true
  }

  private func requests(of name: String) -> RequestLedger? { roots.hosted(name)?.requests ?? roots.ended[name]?.requests }

  private func read(_ call: IncomingCall, at path: CoordinatorPath) throws(DBusError) -> TreeRequest {
    if let ahead = readAhead.take(), ahead.sender == call.sender, ahead.serial == call.serial { return ahead.request }
    return try reader.treeRequest(call.member, call.arguments, at: path)
  }
}

extension TreeCall {
  /// Returns whether the call may contain the value of a secret field, even if it is refused because the screen is
  /// gone.
  fileprivate func mayHoldSecret(for state: TreeState?) -> Bool {
    switch self {
    case .delegate(_, let id, _, let payload, _): Self.mayHoldSecret(payload, of: id, in: state)
    // Secret values in a draft are refused, but they have been sent.
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
  /// The caller, as recorded in the history.
  var caller: Caller { Caller(user: credentials?.user, name: sender) }

  /// Replies with a tree's answer.
  func answer(_ result: Result<TreeAnswer, CallError>, to asked: TreeCall) {
    if case (.saveDraft, .success) = (asked, result) { return reply() }
    switch result {
    case .success(.revision(let revision)): reply([.uint64(revision)])
    case .success(.child(let path)): reply([.objectPath(path.objectPath)])
    case .failure(let error): fail(error.dbusError)
    }
  }
}
