import CoordinatorBus
import CoordinatorKit
import DBus

/// Takes over stored transitions and tells the bus of them.
extension FlowHost: TreeObserver {
  func publish(_ publication: Publication) {
    let name = String(publication.state.root.root)
    let before = roots.live[name]?.state
    if publication.isStart {
      guard hasStarted(publication.state) != nil else { return }
    } else if !roots.hasChanged(
      publication.state,
      hasOthers: !publication.started.isEmpty || !publication.ended.isEmpty || !publication.drafted.isEmpty)
    {
      // The tree was given up meanwhile; the world has been told.
      return
    }
    forgetProgress(publication, name)
    let renderers = roots.live[name]?.clients.renderers ?? [:]
    // First of all, so that whoever sees a signal of its end finds no object.
    let ended = publication.state.outcomes[publication.state.root].flatMap { roots.hasEnded(name, $0) }
    let announcement = Announcement(publication, before: before, flow: flow(of: publication), renderers: renderers)
    send(announcement.beginning)
    sendUntilOneFails(announcement.screens)
    if let ended { releaseClients(of: ended) }
    if publication.isStart || ended != nil { activityHasChanged() }
    send(announcement.ending)
    if let ended { answerEnded(ended, publication) }
    if publication.isStart { answerStarted(name) }
    log(publication, before: before)
  }

  private func answerEnded(_ root: LiveRoot, _ publication: Publication) {
    forgetDeadline(of: root)
    progress.forget(publication.state.root)
    guard let outcome = publication.state.outcomes[publication.state.root] else { return }
    answer(root.clients.waiters, of: root, outcome)
    if case .failed(let failure) = outcome {
      logger.notice(
        "flow failed",
        metadata: [
          "flow": "\(root.request.flow)", "coordinator": "\(root.name)", "code": "\(failure.code)",
          "reason": "\(failure.message)",
        ])
    }
    for sender in Set(root.clients.waiters.map(\.call.sender)) { untrackIfIdle(sender) }
    if roots.live.isEmpty { resumeDrainWaiters() }
  }

  /// The name of the flow that a tree belongs to.
  func flow(of publication: Publication) -> String? {
    let name = String(publication.state.root.root)
    return roots.live[name]?.request.flow ?? roots.ended[name]?.flow
  }

  // MARK: Sending

  /// Sends messages in order.
  func send(_ messages: [BusMessage]) { for message in messages { send(message) } }

  private func sendUntilOneFails(_ messages: [BusMessage]) {
    for message in messages { guard send(message) else { return } }
  }

  /// Sends a message; one that cannot be sent is logged, since there is nobody to tell.
  ///
  /// - Returns: whether it was sent.
  @discardableResult
  func send(_ message: BusMessage) -> Bool {
    switch message {
    case .signal(let path, let interface, let member, let body):
      attempt("send \(member) of \(path)") { connection throws(DBusError) in
        try connection.emit(Signal(path: path, interface: interface, member: member, body: body))
      }
    case .added(let path):
      attempt("send InterfacesAdded of \(path)") { connection throws(DBusError) in
        try connection.interfacesAdded(path, manager: Contract.rootPath)
      }
    case .removed(let path, let interface):
      attempt("send InterfacesRemoved of \(path)") { connection throws(DBusError) in
        try connection.interfacesRemoved(path, interfaces: [interface], manager: Contract.rootPath)
      }
    case .changed(let name, let interface, let path):
      connection.assumeIsolated {
        $0.propertiesChanged(at: path, interface: interface, names: [name])
        return true
      }
    }
  }
}
