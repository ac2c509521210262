/// The watches on one name.
struct Departures {
  var bodies: [UInt64: @Sendable () -> Void] = [:]
  /// Whether the bus has been asked if the name still has an owner, and has answered or not answered yet.
  var isAsked = false
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
    connection.runIsolated { [name, id] in $0.cancelDeparture(of: name, id) }
  }
}

extension Connection {
  /// All watches share this rule. One rule for each client would reach the bus's limit; the extra messages that this
  /// one lets through are one small message for each connection that ends.
  private static let departureRule = MatchRule(
    sender: BusDriver.name, path: BusDriver.path, interface: BusDriver.name, member: "NameOwnerChanged", arguments: [2: ""]
  ).string

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
    guard isOpen else { return watch }
    if !holdsDepartureRule {
      holdsDepartureRule = true
      acquireMatch(Self.departureRule) { connection, error in connection.departureRuleFinished(error) }
    }
    departures[name, default: Departures()].bodies[id] = body
    guard departures[name]?.isAsked == false else { return watch }
    departures[name]?.isAsked = true
    start(.bus("NameHasOwner", [.string(name)])) { connection, result in
      switch result {
      case .success(let values):
        if values.first == .boolean(false) { connection.departed(name) }
      case .failure: connection.departures[name]?.isAsked = false
      }
    }
    return watch
  }

  private func departureRuleFinished(_ error: (any Error)?) {
    guard let error else { return }
    // The next watch tries again.
    holdsDepartureRule = false
    if let error = error as? DBusError { eventHub.send(.watchRefused(error)) }
  }

  func departed(_ name: String) {
    guard let gone = departures.removeValue(forKey: name) else { return }
    releaseDepartureRuleIfUnused()
    for (_, body) in gone.bodies.sorted(by: { $0.key < $1.key }) { body() }
  }

  func cancelDeparture(of name: String, _ id: UInt64) {
    guard departures[name]?.bodies.removeValue(forKey: id) != nil else { return }
    guard departures[name]?.bodies.isEmpty == true else { return }
    departures[name] = nil
    releaseDepartureRuleIfUnused()
  }

  private func releaseDepartureRuleIfUnused() {
    guard departures.isEmpty, holdsDepartureRule else { return }
    holdsDepartureRule = false
    releaseMatch(Self.departureRule)
  }
}
