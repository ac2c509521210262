import CoordinatorBus
import CoordinatorKit
import DBus

/// Handles clients that attach, wait, and leave.
extension FlowHost {
  /// Starts watching whether a client leaves the bus, unless the client is already watched.
  ///
  /// - Parameters:
  ///   - sender: the client's unique name.
  ///   - name: the name of the root whose end the client waits for; nil if it waits for none.
  func track(_ sender: String, awaiting name: String? = nil) {
    if !clients.isTracked(sender) {
      let watch = connection.assumeIsolated { connection in
        connection.watchDeparture(of: sender) { self.assumeIsolated { $0.hasLeft(sender) } }
      }
      clients.track(sender, watch)
    }
    if let name { clients.await(name, by: sender) }
  }

  /// Stops watching a client that is no longer tied to any root.
  func untrackIfIdle(_ sender: String) {
    guard !roots.hasStarts(of: sender) else { return }
    clients.forgetIfIdle(sender)?.cancel()
  }

  /// Returns the error for a client that cannot attach to a tree; nil if it can.
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

  /// Releases the clients of a tree that has ended.
  func releaseClients(of root: LiveRoot) { releaseClients(of: root.name, owner: root.request.sender, root.clients) }

  /// Releases the clients of a tree that has ended.
  ///
  /// - Parameters:
  ///   - name: the name of the tree's root.
  ///   - owner: the unique name of the client that started the tree; nil if it is not known.
  ///   - bound: the clients that waited for the tree or were attached to it.
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
