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
    guard !roots.hasStarts(of: sender), !isProvider(sender) else { return }
    clients.forgetIfIdle(sender)?.cancel()
  }

  /// Handles `Attach`, which attaches its sender to the tree of a root, and answers with the tree's revision and
  /// screens.
  func attach(_ call: IncomingCall, to root: CoordinatorPath) {
    let name = String(root.root)
    do throws(DBusError) {
      var capabilities = try reader.capabilities(call.arguments)
      capabilities.peer = call.credentials
      if let error = clients.refusal(toAttach: call.sender, to: name, configuration.limits) { throw error }
      track(call.sender)
      let isOneMore = clients.attach(call.sender, to: name)
      let isChanged = roots.live[name]?.clients.renderers[call.sender] != capabilities
      _ = roots.updateClients(of: name) { [capabilities] in $0.renderers[call.sender] = capabilities }
      if roots.live[name]?.clients.renderers.count == 1 { roots.live[name]?.tree.set(hasRenderer: true) }
      if isOneMore { tellRenderers() }
      if isChanged { tellRenderers(of: name) }
    } catch {
      return call.fail(error)
    }
    guard liveRoot(of: root)?.largeScreens != nil else {
      return call.reply(hostedRoot(of: root)?.attachAnswer ?? [.uint64(0), .vardicts([])])
    }
    call.reply(inTurn: { () throws(DBusError) in
      guard let live = self.assumeIsolated({ $0.liveRoot(of: root) }) else { throw CallError.unknownCoordinator(root).dbusError }
      return LargeAnswer(key: "Attach to \(root.root)", stamp: live.stamp) { HostedRoot.live(live).attachAnswer }
    })
  }

  /// Handles `Detach`.
  func detach(_ call: IncomingCall, from root: CoordinatorPath) {
    let name = String(root.root)
    let (wasAttached, isFewer) = clients.detach(call.sender, from: name)
    if wasAttached {
      _ = roots.updateClients(of: name) { $0.renderers[call.sender] = nil }
      rendererHasLeft(name)
      tellRenderers(of: name)
      if isFewer { tellRenderers() }
      untrackIfIdle(call.sender)
    }
    call.reply()
  }

  /// Releases the clients of a tree that has ended.
  ///
  /// - Parameters:
  ///   - name: the name of the tree's root.
  ///   - owner: the unique name of the client that started the tree; nil if it is not known.
  ///   - bound: the clients that waited for the tree or were attached to it.
  func releaseClients(of name: String, owner: String?, _ bound: RootClients) {
    let senders = bound.senders.union(owner.map { [$0] } ?? [])
    let released = clients.release(senders, from: name, keepingWatchIf: { roots.hasStarts(of: $0) || isProvider($0) })
    for watch in released.watches { watch.cancel() }
    if released.isFewer { tellRenderers() }
  }

  private func hasLeft(_ sender: String) {
    roots.forgetStarts(of: sender)
    providerHasLeft(sender)
    let departure = clients.hasLeft(sender)
    roots.removeClient(sender, attachedTo: departure.attached, awaiting: departure.awaited)
    for name in departure.attached.sorted() {
      rendererHasLeft(name)
      tellRenderers(of: name)
    }
    if !departure.attached.isEmpty { tellRenderers() }
    for name in roots.inOrder(departure.flows) { close(name, isTimeout: false) }
  }

  /// Lets work pause whose screens nobody looks at any more.
  private func rendererHasLeft(_ name: String) {
    guard let root = roots.live[name], root.clients.renderers.isEmpty else { return }
    root.tree.set(hasRenderer: false)
  }

  /// Tells the renderers of a tree who is attached to it.
  private func tellRenderers(of name: String) {
    guard let root = roots.live[name] else { return }
    bus.send([.changed("Renderers", interface: Contract.routerInterface, root.state.root.routerPath)], to: hearers(of: name))
  }

  private func tellRenderers() {
    bus.send(.changed("Renderers", interface: Contract.managerInterface, Contract.rootPath))
    activityHasChanged()
  }
}
