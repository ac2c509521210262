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
      let request = try reader.treeRequest(call.member, call.arguments, at: path)
      let asked = request.call
      if answerRepeated(call, request, in: path.root) { return }
      if let error = roots.refusal(of: asked, to: String(path.root)) { throw error }
      let root = liveRoot(of: path)
      let mayHoldSecret = asked.mayHoldSecret(for: root?.state)
      isConfidential = mayHoldSecret
      if root == nil, let held = roots.held[String(path.root)] { return post(call, request, toHeld: held) }
      guard let root else { throw CallError.unknownCoordinator(path).dbusError }
      guard !provider.wouldWait(call.sender, for: root.state) else { throw .wouldWait }
      root.tree.post(asked, key: request.key, caller: call.caller) { [connection] in
        call.answer($0, to: asked)
        if case .failure(let error) = $0 { self.log.logRefusal(of: call, at: path, error) }
        if mayHoldSecret { connection.loop.post(ProcessHardening.clearStack) }
      }
    } catch {
      call.fail(error)
    }
  }

  /// Answers a repeated call with a request key whose object is gone, from the published state, which contains the answer.
  /// An object that is there answers the calls that are repeated to it.
  ///
  /// - Returns: whether the call was answered.
  func answerForGoneObject(_ call: IncomingCall) -> Bool {
    guard CallReader.hasRequestKey(call.arguments), let path = CoordinatorPath(objectPath: call.path),
      roots.object(at: call.path) == nil,
      let request = reader.keyedRequest(call.interface, call.member, call.arguments, at: path)
    else { return false }
    return answerRepeated(call, request, in: path.root)
  }

  /// Answers a call as it was answered when it came for the first time.
  ///
  /// - Returns: whether there is such an answer, or the request key is that of another call.
  private func answerRepeated(_ call: IncomingCall, _ request: TreeRequest, in root: Substring) -> Bool {
    guard let key = request.key, let requests = roots.requests(of: String(root)) else { return false }
    do throws(CallError) {
      guard let kept = try requests.answer(to: request.call, key: key) else { return false }
      call.answer(kept.result, to: request.call)
    } catch {
      call.fail(error.dbusError)
    }
    return true
  }
}
