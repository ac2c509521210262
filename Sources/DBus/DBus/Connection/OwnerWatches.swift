/// The watches on the owners of well-known names. Used only on the connection's executor.
final class OwnerWatches {
  private struct Watched {
    var bodies: [UInt64: @Sendable (String?) -> Void]
    /// Whether the bus has reported the owner.
    var isKnown = false
    /// The unique name of the owner; nil for none.
    var owner: String?
  }

  private var names: [String: Watched] = [:]

  /// Adds a watch, and runs its body at once if the owner is known.
  func add(_ id: UInt64, of name: String, on connection: isolated Connection, _ body: @escaping @Sendable (String?) -> Void) {
    if let known = names[name] {
      names[name]?.bodies[id] = body
      if known.isKnown { body(known.owner) }
      return
    }
    names[name] = Watched(bodies: [id: body])
    // Subscribes before it asks, so that no change is missed. The answer is ordered with the changes.
    connection.rules.acquire(MatchRule.ownerChanged(of: name).string, on: connection) { connection, error in
      if let error = error as? DBusError { connection.eventHub.send(.watchRefused(error)) }
    }
    connection.start(.bus("GetNameOwner", [.string(name)])) { connection, result in
      connection.ownerWatches.learn(try? result.get().first?.string, of: name)
    }
  }

  private func learn(_ owner: String?, of name: String) {
    if names[name]?.isKnown == false { ownerChanged(of: name, to: owner) }
  }

  /// Notifies the watches of a name of its current owner.
  func ownerChanged(of name: String, to owner: String?) {
    guard var watched = names[name] else { return }
    (watched.isKnown, watched.owner) = (true, owner)
    names[name] = watched
    for (_, body) in watched.bodies.sorted(by: { $0.key < $1.key }) { body(owner) }
  }

  /// Removes a watch.
  func cancel(_ id: UInt64, of name: String, on connection: isolated Connection) {
    guard names[name]?.bodies.removeValue(forKey: id) != nil, names[name]?.bodies.isEmpty == true else { return }
    names[name] = nil
    connection.rules.release(MatchRule.ownerChanged(of: name).string, on: connection)
  }

  /// Forgets all watches, because the connection is lost.
  func clear() { names = [:] }
}

/// A watch on the owner of a well-known name; see ``Connection/watchOwner(of:_:)``. Releasing the object does not cancel
/// the watch.
public final class OwnerWatch: Sendable {
  private let connection: Connection
  private let name: String
  private let id: UInt64

  init(connection: Connection, name: String, id: UInt64) {
    self.connection = connection
    self.name = name
    self.id = id
  }

  /// Cancels the watch. May be called from any thread; if called on the connection's serial executor, the body does not
  /// run after this returns.
  public func cancel() {
    connection.runIsolated { [name, id] in $0.ownerWatches.cancel(id, of: name, on: $0) }
  }
}

extension Connection {
  /// Runs `body` with the owner of a well-known name once it is known, and each time it changes.
  ///
  /// The body runs before anything is handled that the bus sent after the change: when a call that started a service is
  /// answered, the body has run with the service's unique name. If this connection is lost, it does not run any more.
  ///
  /// - Parameters:
  ///   - name: the well-known name.
  ///   - body: the closure to run on the connection's serial executor, with the owner's unique name, or nil for none.
  /// - Returns: the watch, which can be cancelled.
  public func watchOwner(of name: String, _ body: @escaping @Sendable (String?) -> Void) -> OwnerWatch {
    let id = nextID()
    let watch = OwnerWatch(connection: self, name: name, id: id)
    if isOpen, Names.isWellKnownName(name) { ownerWatches.add(id, of: name, on: self, body) }
    return watch
  }
}

extension MatchRule {
  /// Matches the bus's signals about the owner of a well-known name.
  static func ownerChanged(of name: String) -> MatchRule {
    MatchRule(
      sender: BusDriver.name, path: BusDriver.path, interface: BusDriver.name, member: "NameOwnerChanged", arguments: [0: name])
  }
}
