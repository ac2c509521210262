/// The bus's answer to a request for a name.
///
/// Source: D-Bus Specification, "org.freedesktop.DBus.RequestName".
public enum NameRequestReply: Sendable, Hashable {
  /// The connection now owns the name.
  case primaryOwner
  /// Another connection owns the name and keeps it.
  case exists
  /// The connection already owned the name.
  case alreadyOwner
}

extension Connection {
  /// Returns the id of the bus, which is different each time a bus is started.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.GetId".
  ///
  /// - Returns: the id.
  /// - Throws: the same errors as ``call(_:deadline:)``.
  public nonisolated func busID() async throws -> String {
    let reply = try await call(.bus("GetId", []))
    guard let id = reply.first?.string else { throw ConnectionError.unreadableReply("GetId did not return a string") }
    return id
  }

  /// Requests a well-known name from the bus without queueing for it. Export everything that clients should find under
  /// the name first.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.RequestName".
  ///
  /// - Parameters:
  ///   - name: the well-known name.
  ///   - replace: whether to take the name from an owner that allows it.
  ///   - allowReplacement: whether others may take the name, which ``events`` reports as
  ///     ``ConnectionEvent/nameLost(_:)``.
  /// - Returns: the bus's answer.
  /// - Throws: the same errors as ``call(_:deadline:)``.
  public func requestName(
    _ name: String, replace: Bool = false, allowReplacement: Bool = false
  ) async throws -> NameRequestReply {
    let doNotQueue: UInt32 = 4
    let flags: UInt32 = (replace ? 2 : 0) | (allowReplacement ? 1 : 0)
    // Recorded when the bus's answer arrives, not when the caller resumes: the name may be lost again in between.
    let reply = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<NameRequestReply, any Error>) in
      start(.bus("RequestName", [.string(name), .uint32(flags | doNotQueue)])) { connection, result in
        continuation.resume(with: result.map { connection.noteReply($0, for: name) })
      }
    }
    if allowReplacement, reply != .exists {
      // From now on, this connection stays queued for the name if it loses it. A bus policy that restricts the recipients of
      // messages from the name's owner therefore applies to all messages that this connection sends, up to its end.
      try send(.bus("RequestName", [.string(name), .uint32(flags)]))
    }
    return reply
  }

  private func noteReply(_ reply: [Value], for name: String) -> NameRequestReply {
    switch reply.first?.integer {
    case 1:
      ownedNames.insert(name)
      return .primaryOwner
    case 4:
      ownedNames.insert(name)
      return .alreadyOwner
    default: return .exists
    }
  }

  /// Releases a name. Calls to the name that are already on their way still arrive.
  ///
  /// Source: D-Bus Specification, "org.freedesktop.DBus.ReleaseName".
  ///
  /// - Parameter name: the name.
  /// - Throws: the same errors as ``call(_:deadline:)``.
  public func releaseName(_ name: String) async throws {
    ownedNames.remove(name)
    _ = try await callBus("ReleaseName", [.string(name)])
  }
}

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

extension Connection {
  /// Makes libdbus release the bytes of received messages that it still holds. Call it after a message that contained a secret;
  /// the connection calls it itself after calls with arguments that reach no object.
  ///
  /// libdbus reads all messages into one buffer, where the bytes of past messages remain until later ones overwrite them. It
  /// releases a buffer once 2 KiB of it are unused (`_dbus_string_compact` in dbus-message.c), so the connection sends itself a
  /// larger message, to which no object subscribes. The released memory keeps its contents unless the allocator overwrites it.
  ///
  /// At most one such message is in flight, however often this is called.
  ///
  /// - Throws: ``DBusError`` if the message cannot be sent.
  public func forgetReceivedBytes() throws(DBusError) {
    if padding.ask() { try sendPadding() }
  }

  /// Returns whether a received signal is the connection's own padding.
  func receivePadding(_ message: ReceivedMessage) -> Bool {
    guard message.sender == uniqueName, message.interface == Padding.interface, message.member == Padding.member else {
      return false
    }
    // If it cannot be sent, the next request sends it.
    if padding.arrive() { try? sendPadding() }
    return true
  }

  private func sendPadding() throws(DBusError) {
    do throws(DBusError) {
      try emit(Signal(path: .root, interface: Padding.interface, member: Padding.member, body: [Self.spaces]), to: uniqueName)
    } catch {
      padding.fail()
      throw error
    }
  }

  private static let spaces = Value.string(String(repeating: " ", count: 8192))
}

/// Schedules the messages that the connection sends to itself to make libdbus release its buffer: one at a time, the
/// last one sent after the last request.
struct Padding {
  static let interface = "org.coordinatord.DBus"
  static let member = "Padding"

  private enum State {
    case idle
    case underWay(isDueAgain: Bool)
  }
  private var state = State.idle

  /// Requests a message. Returns whether to send it now.
  mutating func ask() -> Bool {
    if case .underWay = state {
      state = .underWay(isDueAgain: true)
      return false
    }
    state = .underWay(isDueAgain: false)
    return true
  }

  /// Records that the message could not be sent.
  mutating func fail() { state = .idle }

  /// Records that the message has come back. Returns whether to send another one now.
  mutating func arrive() -> Bool {
    guard case .underWay(let isDueAgain) = state else { return false }
    state = isDueAgain ? .underWay(isDueAgain: false) : .idle
    return isDueAgain
  }
}
