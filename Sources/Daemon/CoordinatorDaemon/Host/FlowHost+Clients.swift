import CoordinatorBus
import CoordinatorKit
import DBus

/// A client that the host has to know about when it leaves the bus.
struct Client: Sendable {
  let watch: DepartureWatch
  /// The trees that it is attached to.
  var attached: Set<String> = []
  /// The roots that end when it leaves.
  var flows: Set<String> = []
  /// The roots whose end it waits for.
  var awaited: Set<String> = []

  var isIdle: Bool { attached.isEmpty && flows.isEmpty && awaited.isEmpty }
}

extension FlowHost {
  /// How many connections are attached to any tree, each counted once.
  var rendererCount: Int { clients.values.count { !$0.attached.isEmpty } }

  /// Begins to watch whether a client leaves the bus.
  ///
  /// - Parameters:
  ///   - sender: its unique name.
  ///   - name: the root whose end it waits for, if it does.
  func track(_ sender: String, awaiting name: String? = nil) {
    defer { if let name { clients[sender]?.awaited.insert(name) } }
    guard clients[sender] == nil else { return }
    let watch = connection.assumeIsolated { connection in
      connection.watchDeparture(of: sender) { self.assumeIsolated { $0.hasLeft(sender) } }
    }
    clients[sender] = Client(watch: watch)
  }

  /// Stops watching a client of which nothing is left.
  func untrackIfIdle(_ sender: String) {
    guard let client = clients[sender], client.isIdle, !roots.hasStarts(of: sender) else { return }
    client.watch.cancel()
    clients[sender] = nil
  }

  /// Why a client cannot attach to a tree; nil if it can.
  func refusalToAttach(_ sender: String, to name: String) -> DBusError? {
    let attached = clients[sender]?.attached ?? []
    let limits = configuration.limits
    if attached.isEmpty, rendererCount >= limits.maxRenderers {
      return .limitsExceeded("there are already \(limits.maxRenderers) renderers")
    }
    if !attached.contains(name), clients.values.reduce(0, { $0 + $1.attached.count }) >= limits.maxAttachments {
      return .limitsExceeded("renderers are already attached to \(limits.maxAttachments) flow trees, each counted for itself")
    }
    return nil
  }

  func attach(_ sender: String, to name: String, as capabilities: RendererCapabilities) {
    track(sender)
    let wasRenderer = clients[sender]?.attached.isEmpty == false
    clients[sender]?.attached.insert(name)
    _ = roots.updateClients(of: name) { $0.renderers[sender] = capabilities }
    if !wasRenderer { tellRenderers() }
  }

  func detach(_ sender: String, from name: String) {
    guard clients[sender]?.attached.remove(name) != nil else { return }
    _ = roots.updateClients(of: name) { $0.renderers[sender] = nil }
    if clients[sender]?.attached.isEmpty == true { tellRenderers() }
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
    let before = rendererCount
    for sender in bound.senders.union(owner.map { [$0] } ?? []) {
      clients[sender]?.attached.remove(name)
      clients[sender]?.flows.remove(name)
      clients[sender]?.awaited.remove(name)
      untrackIfIdle(sender)
    }
    if rendererCount != before { tellRenderers() }
  }

  private func hasLeft(_ sender: String) {
    roots.forgetStarts(of: sender)
    guard let client = clients.removeValue(forKey: sender) else { return }
    for name in client.attached { _ = roots.updateClients(of: name) { $0.renderers[sender] = nil } }
    if !client.attached.isEmpty { tellRenderers() }
    for name in client.awaited { _ = roots.updateClients(of: name) { $0.waiters.removeAll { $0.call.sender == sender } } }
    for name in client.flows { close(name, isTimeout: false) }
  }

  private func tellRenderers() {
    changed("Renderers", of: Contract.managerInterface, at: Contract.rootPath)
    activityHasChanged()
  }
}
