import DBus

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

  /// Unties clients from a root that has ended, and stops watching those that nothing else needs.
  ///
  /// - Returns: whether the number of renderers has decreased.
  func release(_ senders: Set<String>, from name: String) -> Bool {
    let released = table.release(senders, from: name, keepingWatchIf: isNeeded)
    for watch in released.watches { watch.cancel() }
    return released.isFewer
  }

  /// Removes a client that has left the bus.
  ///
  /// - Returns: what tied the client to roots.
  func hasLeft(_ sender: String) -> ClientTable<DepartureWatch>.Departure { table.hasLeft(sender) }

  /// Returns whether a client must be watched although it is tied to no root: it has started flows, serves flows, or
  /// performs work.
  private func isNeeded(_ sender: String) -> Bool {
    roots.hasStarts(of: sender) || provider.withTable { $0.isProvider(sender) } || provider.work.count(of: sender) > 0
  }
}
