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

  private func read(_ call: IncomingCall, at path: CoordinatorPath) throws(DBusError) -> TreeRequest {
    if let request = readAhead.take(sender: call.sender, serial: call.serial) { return request }
    return try reader.treeRequest(call.member, call.arguments, at: path)
  }

  /// Answers a repeated call with a request key from the published state, which contains the answer even if the called
  /// object is gone.
  ///
  /// - Returns: whether the call was answered. If not, its request is kept in ``readAhead`` for the object, which
  ///   handles the call next.
  func answerRepeated(_ call: IncomingCall) -> Bool {
    readAhead.forget()
    guard CallReader.hasRequestKey(call.arguments), let path = CoordinatorPath(objectPath: call.path),
      let requests = roots.requests(of: String(path.root)),
      let request = reader.keyedRequest(call.interface, call.member, call.arguments, at: path), let key = request.key
    else { return false }
    do throws(CallError) {
      guard let kept = try requests.answer(to: request.call, key: key) else {
        readAhead.keep(request, sender: call.sender, serial: call.serial)
        // It may hold a secret, and no object takes it if the call is refused for its object or its types.
        connection.loop.post { self.assumeIsolated { $0.readAhead.forget() } }
        return false
      }
      call.answer(kept.result, to: request.call)
    } catch {
      call.fail(error.dbusError)
    }
    return true
  }
}
