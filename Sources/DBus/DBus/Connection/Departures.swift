/// The watches for the departures of other connections. Used only on the connection's executor.
final class Departures {
  private struct Watched {
    var bodies: [UInt64: @Sendable () -> Void] = [:]
    /// Whether the bus has been asked if the name still has an owner, and has answered or not answered yet.
    var isAsked = false
  }

  /// All watches share this rule. One rule for each client would reach the bus's limit; the extra messages that this
  /// one lets through are one small message for each connection that ends.
  private static let rule = MatchRule(
    sender: BusDriver.name, path: BusDriver.path, interface: BusDriver.name, member: "NameOwnerChanged", arguments: [2: ""]
  ).string

  private var names: [String: Watched] = [:]
  private var holdsRule = false

  /// Adds a watch.
  func add(_ id: UInt64, of name: String, on connection: isolated Connection, _ body: @escaping @Sendable () -> Void) {
    if !holdsRule {
      holdsRule = true
      connection.rules.acquire(Self.rule, on: connection) { connection, error in
        if let error { connection.departures.ruleFailed(error, on: connection) }
      }
    }
    names[name, default: Watched()].bodies[id] = body
    guard names[name]?.isAsked == false else { return }
    names[name]?.isAsked = true
    connection.start(.bus("NameHasOwner", [.string(name)])) { connection, result in
      connection.departures.learn(of: name, result, on: connection)
    }
  }

  private func learn(of name: String, _ result: Result<[Value], any Error>, on connection: isolated Connection) {
    switch result {
    case .success(let values):
      if values.first == .boolean(false) { departed(name, on: connection) }
    case .failure: names[name]?.isAsked = false
    }
  }

  private func ruleFailed(_ error: any Error, on connection: isolated Connection) {
    // The next watch tries again.
    holdsRule = false
    if let error = error as? DBusError { connection.eventHub.send(.watchRefused(error)) }
  }

  /// Runs the bodies of a name that has no owner any more.
  func departed(_ name: String, on connection: isolated Connection) {
    guard let gone = names.removeValue(forKey: name) else { return }
    releaseRuleIfUnused(on: connection)
    for (_, body) in gone.bodies.sorted(by: { $0.key < $1.key }) { body() }
  }

  /// Removes a watch.
  func cancel(_ id: UInt64, of name: String, on connection: isolated Connection) {
    guard names[name]?.bodies.removeValue(forKey: id) != nil else { return }
    guard names[name]?.bodies.isEmpty == true else { return }
    names[name] = nil
    releaseRuleIfUnused(on: connection)
  }

  private func releaseRuleIfUnused(on connection: isolated Connection) {
    guard names.isEmpty, holdsRule else { return }
    holdsRule = false
    connection.rules.release(Self.rule, on: connection)
  }

  /// Forgets all watches, because the connection is lost.
  func clear() { names = [:] }
}

/// A watch on a name; see ``Connection/watchDeparture(of:_:)``. Releasing the object does not cancel the watch.
public final class DepartureWatch: Sendable {
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
    connection.runIsolated { [name, id] in $0.departures.cancel(id, of: name, on: $0) }
  }
}

extension Connection {
  /// Runs `body` once when `name` has no owner any more, including if it has none now.
  ///
  /// The connection subscribes to owner changes before it asks whether the name has an owner, so a departure in between
  /// is not missed. A failed query does not count as a departure. If this connection is lost, `body` does not run;
  /// ``events`` delivers ``ConnectionEvent/disconnected`` instead, because the state of the name is unknown from then
  /// on.
  ///
  /// - Parameters:
  ///   - name: a unique name, usually the sender of a call.
  ///   - body: the closure to run on the connection's serial executor.
  /// - Returns: the watch, which can be cancelled.
  @discardableResult
  public func watchDeparture(of name: String, _ body: @escaping @Sendable () -> Void) -> DepartureWatch {
    let id = nextID()
    let watch = DepartureWatch(connection: self, name: name, id: id)
    if isOpen { departures.add(id, of: name, on: self, body) }
    return watch
  }
}
