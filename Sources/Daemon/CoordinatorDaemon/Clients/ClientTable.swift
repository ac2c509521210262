import DBus

/// The clients whose departure from the bus matters, with the trees that each is attached to, the flows that end with
/// it, and the flows whose end it waits for.
///
/// A value that makes decisions: its owner watches the bus, and cancels the watches that the methods return.
struct ClientTable<Watch: Sendable>: Sendable {
  private struct Client: Sendable {
    let watch: Watch
    /// The names of the trees that the client is attached to.
    var attached: Set<String> = []
    /// The names of the roots that end when the client leaves.
    var flows: Set<String> = []
    /// The names of the roots whose end the client waits for.
    var awaited: Set<String> = []

    var isIdle: Bool { attached.isEmpty && flows.isEmpty && awaited.isEmpty }
  }

  /// The ties of a client that has left the bus, as the names of roots.
  struct Departure: Sendable, Hashable {
    var attached: Set<String> = []
    var flows: Set<String> = []
    var awaited: Set<String> = []
  }

  private var clients: [String: Client] = [:]
  /// The number of connections that are attached to at least one tree.
  private(set) var rendererCount = 0
  /// The number of attachments. A connection counts once for each tree.
  private(set) var attachmentCount = 0

  /// Returns whether a client is watched.
  func isTracked(_ sender: String) -> Bool { clients[sender] != nil }

  /// Returns the names of the trees that a client is attached to.
  private func attached(_ sender: String) -> Set<String> { clients[sender]?.attached ?? [] }

  // MARK: Coming

  /// Adds a client, unless it is already known.
  ///
  /// - Parameters:
  ///   - sender: its unique name.
  ///   - watch: notifies of its departure; not kept if the client is known already.
  mutating func track(_ sender: String, _ watch: Watch) {
    if clients[sender] == nil { clients[sender] = Client(watch: watch) }
  }

  /// Records that a client waits for the end of a root.
  mutating func await(_ name: String, by sender: String) { clients[sender]?.awaited.insert(name) }

  /// Records that a client no longer waits for the end of a root.
  mutating func stopAwaiting(_ name: String, by sender: String) { clients[sender]?.awaited.remove(name) }

  /// Records that a root ends when a client leaves.
  ///
  /// - Returns: whether the client is still on the bus.
  mutating func bind(_ name: String, to sender: String) -> Bool { clients[sender]?.flows.insert(name) != nil }

  // MARK: Attaching

  /// Checks whether a client may attach to a tree.
  ///
  /// - Parameters:
  ///   - sender: the client's unique name.
  ///   - name: the name of the tree's root.
  ///   - limits: the maximum numbers of renderers and of attachments.
  /// - Returns: the error to reply with; nil if the client may attach.
  func refusal(toAttach sender: String, to name: String, _ limits: DaemonLimits) -> DBusError? {
    let attached = attached(sender)
    if attached.isEmpty, rendererCount >= limits.maxRenderers {
      return .limitsExceeded("there are already \(limits.maxRenderers) renderers")
    }
    if !attached.contains(name), attachmentCount >= limits.maxAttachments {
      return .limitsExceeded("renderers already have \(limits.maxAttachments) attachments to flow trees")
    }
    return nil
  }

  /// Attaches a known client to a tree.
  ///
  /// - Returns: whether the number of renderers has increased.
  mutating func attach(_ sender: String, to name: String) -> Bool {
    guard let index = clients.index(forKey: sender) else { return false }
    let wasRenderer = !clients.values[index].attached.isEmpty
    guard clients.values[index].attached.insert(name).inserted else { return false }
    attachmentCount += 1
    if !wasRenderer { rendererCount += 1 }
    return !wasRenderer
  }

  /// Detaches a client from a tree.
  ///
  /// - Returns: whether the client was attached, and whether the number of renderers has decreased.
  mutating func detach(_ sender: String, from name: String) -> (wasAttached: Bool, isFewer: Bool) {
    guard let index = clients.index(forKey: sender), clients.values[index].attached.remove(name) != nil else {
      return (false, false)
    }
    attachmentCount -= 1
    let isFewer = clients.values[index].attached.isEmpty
    if isFewer { rendererCount -= 1 }
    return (true, isFewer)
  }

  // MARK: Going

  /// Removes all ties of clients to a root that has ended.
  ///
  /// - Parameters:
  ///   - senders: the unique names of the clients.
  ///   - name: the name of the root.
  ///   - isNeeded: whether a client without ties to a root must be watched nevertheless.
  /// - Returns: whether the number of renderers has decreased, and the watches to cancel.
  mutating func release(
    _ senders: some Sequence<String>, from name: String, keepingWatchIf isNeeded: (String) -> Bool
  ) -> (isFewer: Bool, watches: [Watch]) {
    var result: (isFewer: Bool, watches: [Watch]) = (false, [])
    for sender in senders {
      if release(sender, from: name) { result.isFewer = true }
      if !isNeeded(sender), let watch = forgetIfIdle(sender) { result.watches.append(watch) }
    }
    return result
  }

  private mutating func release(_ sender: String, from name: String) -> Bool {
    let isFewer = detach(sender, from: name).isFewer
    clients[sender]?.flows.remove(name)
    clients[sender]?.awaited.remove(name)
    return isFewer
  }

  /// Removes a client that is no longer tied to any root.
  ///
  /// - Returns: the watch to cancel; nil if the client stays, or was unknown.
  mutating func forgetIfIdle(_ sender: String) -> Watch? {
    guard clients[sender]?.isIdle == true else { return nil }
    return clients.removeValue(forKey: sender)?.watch
  }

  /// Removes a client that has left the bus.
  ///
  /// - Returns: the client's ties to roots.
  mutating func hasLeft(_ sender: String) -> Departure {
    guard let client = clients.removeValue(forKey: sender) else { return Departure() }
    attachmentCount -= client.attached.count
    if !client.attached.isEmpty { rendererCount -= 1 }
    return Departure(attached: client.attached, flows: client.flows, awaited: client.awaited)
  }
}

/// Watches the clients whose departure from the bus matters: renderers, callers that wait, callers whose flows end with
/// them, and providers. Used only on the host's executor.
final class ClientWatch {
  private var table = ClientTable<DepartureWatch>()
  private let connection: Connection
  private let roots: RootRegistry
  private let provider: BusProvider
  private let entry: HostEntry

  /// Creates a watch without clients.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - roots: knows which clients have started flows.
  init(of host: HostServices, roots: RootRegistry) {
    (connection, provider, entry) = (host.connection, host.provider, host.entry)
    self.roots = roots
  }

  /// The number of connections that are attached to at least one tree.
  var rendererCount: Int { table.rendererCount }

  /// Starts watching whether a client leaves the bus, unless the client is already watched.
  ///
  /// - Parameters:
  ///   - sender: the client's unique name.
  ///   - name: the name of the root whose end the client waits for; nil if it waits for none.
  func track(_ sender: String, awaiting name: String? = nil) {
    if !table.isTracked(sender) {
      let watch = connection.assumeIsolated { [entry] connection in
        connection.watchDeparture(of: sender) { entry.enter { $0.clientHasLeft(sender) } }
      }
      table.track(sender, watch)
    }
    if let name { table.await(name, by: sender) }
  }

  /// Stops watching a client that is no longer tied to any root.
  func untrackIfIdle(_ sender: String) {
    guard !isNeeded(sender) else { return }
    table.forgetIfIdle(sender)?.cancel()
  }

  /// Records that a client no longer waits for the end of a root.
  func stopAwaiting(_ name: String, by sender: String) { table.stopAwaiting(name, by: sender) }

  /// Records that a root ends when a client leaves.
  ///
  /// - Returns: whether the client is still on the bus.
  func bind(_ name: String, to sender: String) -> Bool { table.bind(name, to: sender) }

  /// Checks whether a client may attach to a tree; see ``ClientTable/refusal(toAttach:to:_:)``.
  func refusal(toAttach sender: String, to name: String, _ limits: DaemonLimits) -> DBusError? {
    table.refusal(toAttach: sender, to: name, limits)
  }

  /// Attaches a watched client to a tree.
  ///
  /// - Returns: whether the number of renderers has increased.
  func attach(_ sender: String, to name: String) -> Bool { table.attach(sender, to: name) }

  /// Detaches a client from a tree.
  ///
  /// - Returns: whether the client was attached, and whether the number of renderers has decreased.
  func detach(_ sender: String, from name: String) -> (wasAttached: Bool, isFewer: Bool) {
    table.detach(sender, from: name)
  }

  /// Removes the ties of clients to a root that has ended, and stops watching clients that need not be watched.
  ///
  /// - Returns: whether the number of renderers has decreased.
  func release(_ senders: Set<String>, from name: String) -> Bool {
    let released = table.release(senders, from: name, keepingWatchIf: isNeeded)
    for watch in released.watches { watch.cancel() }
    return released.isFewer
  }

  /// Removes a client that has left the bus.
  ///
  /// - Returns: the client's ties to roots.
  func hasLeft(_ sender: String) -> ClientTable<DepartureWatch>.Departure { table.hasLeft(sender) }

  /// Returns whether a client must be watched although it is tied to no root: it has started flows, serves flows, or
  /// performs work.
  private func isNeeded(_ sender: String) -> Bool {
    roots.hasStarts(of: sender) || provider.withTable { $0.isProvider(sender) } || provider.work.count(of: sender) > 0
  }
}
