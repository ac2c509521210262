import CoordinatorBus
import CoordinatorKit
import DBus
import Hardening

/// Hands calls on trees over to them.
extension FlowHost {
  /// Posts a call to its tree, whose answer becomes the reply.
  ///
  /// - Parameters:
  ///   - call: the call, whose types are checked.
  ///   - path: a coordinator of the tree.
  func post(_ call: IncomingCall, to path: CoordinatorPath) {
    // A call that cannot be read may have held one.
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

  /// Answers a call with a request key from what was published: whatever took its object away has been published with the answer.
  ///
  /// - Returns: whether it was answered. If not, what was read of it is kept for the object, which gets it next.
  func answerRepeated(_ call: IncomingCall) -> Bool {
    readAhead = nil
    guard let path = CoordinatorPath(objectPath: call.path), let requests = requests(of: String(path.root)),
      let request = reader.keyedRequest(call.interface, call.member, call.arguments, at: path), let key = request.key
    else { return false }
    do throws(CallError) {
      guard let kept = try requests.answer(to: request.call, key: key) else {
        readAhead = (call.sender, call.serial, request)
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
