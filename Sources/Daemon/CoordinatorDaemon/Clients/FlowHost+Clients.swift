import CoordinatorBus
import CoordinatorKit
import DBus

/// Clients that attach, wait, and leave.
extension FlowHost {
  /// Begins to watch whether a client leaves the bus.
  ///
  /// - Parameters:
  ///   - sender: its unique name.
  ///   - name: the root whose end it waits for, if it does.
  func track(_ sender: String, awaiting name: String? = nil) {
    clients.track(sender) {
      connection.assumeIsolated { connection in
        connection.watchDeparture(of: sender) { self.assumeIsolated { $0.hasLeft(sender) } }
      }
    }
    if let name { clients.await(name, by: sender) }
  }

  /// Stops watching a client that nothing binds any more.
  func untrackIfIdle(_ sender: String) {
    guard !roots.hasStarts(of: sender) else { return }
    clients.forgetIfIdle(sender)?.cancel()
  }

  /// Why a client cannot attach to a tree; nil if it can.
  func refusalToAttach(_ sender: String, to name: String) -> DBusError? {
    let limits = configuration.limits
    return
      switch clients.refusal(
        toAttach: sender, to: name, limits: (renderers: Int(limits.maxRenderers), attachments: Int(limits.maxAttachments)))
    {
    case .tooManyRenderers: .limitsExceeded("there are already \(limits.maxRenderers) renderers")
    case .tooManyAttachments:
      .limitsExceeded("renderers already have \(limits.maxAttachments) attachments to flow trees")
    case nil: nil
    }
  }

  func attach(_ sender: String, to name: String, as capabilities: RendererCapabilities) {
    track(sender)
    let isOneMore = clients.attach(sender, to: name)
    _ = roots.updateClients(of: name) { $0.renderers[sender] = capabilities }
    if isOneMore { tellRenderers() }
  }

  func detach(_ sender: String, from name: String) {
    let (wasAttached, isFewer) = clients.detach(sender, from: name)
    guard wasAttached else { return }
    _ = roots.updateClients(of: name) { $0.renderers[sender] = nil }
    if isFewer { tellRenderers() }
    untrackIfIdle(sender)
  }

  /// Forgets what binds clients to a tree that has ended.
  func releaseClients(of root: LiveRoot) { releaseClients(of: root.name, owner: root.request.sender, root.clients) }

  /// Forgets what binds clients to a tree that has ended.
  ///
  /// - Parameters:
  ///   - name: the name of its root.
  ///   - owner: who has started it, if that is known.
  ///   - bound: who waited for it or was attached to it.
  func releaseClients(of name: String, owner: String?, _ bound: RootClients) {
    var isFewer = false
    for sender in bound.senders.union(owner.map { [$0] } ?? []) {
      if clients.release(sender, from: name) { isFewer = true }
      untrackIfIdle(sender)
    }
    if isFewer { tellRenderers() }
  }

  private func hasLeft(_ sender: String) {
    roots.forgetStarts(of: sender)
    let departure = clients.hasLeft(sender)
    for name in departure.attached { _ = roots.updateClients(of: name) { $0.renderers[sender] = nil } }
    if !departure.attached.isEmpty { tellRenderers() }
    for name in departure.awaited { _ = roots.updateClients(of: name) { $0.waiters.removeAll { $0.call.sender == sender } } }
    for name in departure.flows { close(name, isTimeout: false) }
  }

  private func tellRenderers() {
    bus.send(.changed("Renderers", interface: Contract.managerInterface, Contract.rootPath))
    activityHasChanged()
  }
}
