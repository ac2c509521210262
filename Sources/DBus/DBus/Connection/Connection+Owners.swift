/// The watches on the owner of one well-known name.
struct OwnerWatches {
  var bodies: [UInt64: @Sendable (String?) -> Void] = [:]
  /// Whether the bus has reported the owner.
  var isKnown = false
  /// The unique name of the owner; nil for none.
  var owner: String?
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
    connection.runIsolated { [name, id] in $0.cancelOwnerWatch(of: name, id) }
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
    guard isOpen, Names.isWellKnownName(name) else { return watch }
    if let known = ownerWatches[name] {
      ownerWatches[name]?.bodies[id] = body
      if known.isKnown { body(known.owner) }
      return watch
    }
    ownerWatches[name] = OwnerWatches(bodies: [id: body])
    // Subscribes before it asks, so that no change is missed. The answer is ordered with the changes.
    acquireMatch(Self.ownerRule(of: name)) { connection, error in
      if let error = error as? DBusError { connection.eventHub.send(.watchRefused(error)) }
    }
    start(.bus("GetNameOwner", [.string(name)])) { connection, result in
      guard connection.ownerWatches[name]?.isKnown == false else { return }
      connection.ownerChanged(of: name, to: try? result.get().first?.string)
    }
    return watch
  }

  /// Notifies the watches of a name of its current owner.
  func ownerChanged(of name: String, to owner: String?) {
    guard var watches = ownerWatches[name] else { return }
    (watches.isKnown, watches.owner) = (true, owner)
    ownerWatches[name] = watches
    for (_, body) in watches.bodies.sorted(by: { $0.key < $1.key }) { body(owner) }
  }

  func cancelOwnerWatch(of name: String, _ id: UInt64) {
    guard ownerWatches[name]?.bodies.removeValue(forKey: id) != nil, ownerWatches[name]?.bodies.isEmpty == true else { return }
    ownerWatches[name] = nil
    releaseMatch(Self.ownerRule(of: name))
  }

  private static func ownerRule(of name: String) -> String {
    MatchRule(
      sender: BusDriver.name, path: BusDriver.path, interface: BusDriver.name, member: "NameOwnerChanged", arguments: [0: name]
    ).string
  }
}
