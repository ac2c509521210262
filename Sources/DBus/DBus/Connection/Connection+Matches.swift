import Glibc

/// A match rule that the bus has been given, and the number of its users.
struct MatchEntry {
  let id: UInt64
  var users = 1
  /// The completions to call once the bus has accepted the rule; nil when it has.
  var waiters: [@Sendable (isolated Connection, (any Error)?) -> Void]?
}

extension Connection {
  /// Adds a rule to the bus, unless it is there already, and waits until it is in effect.
  func acquireMatch(_ rule: String) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      acquireMatch(rule) { _, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  /// Adds a rule to the bus, unless it is there already.
  ///
  /// The bus handles the messages of a connection in order, so the rule is in effect when anything sent after it is
  /// answered. `completion` reports whether the bus accepted the rule; if it did not, the rule is not acquired.
  func acquireMatch(_ rule: String, completion: @escaping @Sendable (isolated Connection, (any Error)?) -> Void) {
    if let entry = matches[rule] {
      matches[rule]?.users += 1
      if entry.waiters == nil { completion(self, nil) } else { matches[rule]?.waiters?.append(completion) }
      return
    }
    let id = nextID()
    matches[rule] = MatchEntry(id: id, waiters: [completion])
    start(.bus("AddMatch", [.string(rule)])) { connection, result in
      var error: (any Error)?
      if case .failure(let failure) = result { error = failure }
      connection.finishMatch(rule, id, error)
    }
  }

  private func finishMatch(_ rule: String, _ id: UInt64, _ error: (any Error)?) {
    guard let entry = matches[rule], entry.id == id else { return }
    if error == nil {
      matches[rule]?.waiters = nil
    } else {
      matches[rule] = nil
      // Without an answer, the bus may have accepted the rule nevertheless.
      if !(error is DBusError) { _ = try? send(.bus("RemoveMatch", [.string(rule)])) }
    }
    for waiter in entry.waiters ?? [] { waiter(self, error) }
  }

  /// Releases a rule; the last release removes it from the bus.
  func releaseMatch(_ rule: String) {
    guard let users = matches[rule]?.users else { return }
    matches[rule]?.users = users - 1
    guard users == 1 else { return }
    matches[rule] = nil
    // Ordered after AddMatch, even if that has not been answered yet.
    try? send(.bus("RemoveMatch", [.string(rule)]))
  }
}

/// Hands a service's name over to its successor without losing a call.
extension Connection {
  /// Releases a name and stops sending broadcast signals: without the name, the bus no longer withholds them from
  /// connections that may not receive what the name's owner sends.
  ///
  /// When this returns, every call sent to the name before its release has arrived. The bus delivers later calls to the
  /// next owner.
  ///
  /// - Parameter name: the name to release.
  /// - Throws: the same errors as ``call(_:deadline:)``. The connection stops sending broadcast signals even then.
  public func retire(from name: String) async throws {
    flushPropertyChanges()
    ownedNames.remove(name)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      start(.bus("ReleaseName", [.string(name)])) { _, result in continuation.resume(with: result.map { _ in }) }
      isRetired = true
    }
  }

  /// Requests the name again after ``retire(from:)``, and resumes sending signals.
  ///
  /// - Parameter name: the name, which others may take over.
  /// - Returns: whether the connection owns the name.
  /// - Throws: the same errors as ``call(_:deadline:)``.
  public func resume(as name: String) async throws -> Bool {
    guard try await requestName(name, allowReplacement: true) != .exists else { return false }
    isRetired = false
    return true
  }

  /// Whether any incoming call is unanswered, including those that wait for long.
  public var hasUnansweredCalls: Bool { hasCallsUnderWay || longCalls.total > 0 }

  /// Waits until all incoming calls except those that wait for long are answered, the connection is lost, or the time
  /// is up.
  ///
  /// - Parameter limit: the maximum time to wait.
  public func answerCalls(for limit: Duration) async {
    guard isOpen, hasCallsUnderWay else { return }
    let timer = loop.schedule(after: limit) { [weak self] in self?.assumeIsolated { $0.resumeAnswerWaiters() } }
    await withCheckedContinuation { answerWaiters.append($0) }
    timer.cancel()
  }

  private var hasCallsUnderWay: Bool { callLines.total.calls > 0 || gate?.admission.isEmpty == false }

  /// Resumes the tasks that wait for all calls to be answered, if they are.
  func callsMayBeAnswered() {
    if !answerWaiters.isEmpty, !hasCallsUnderWay { resumeAnswerWaiters() }
  }

  func resumeAnswerWaiters() {
    defer { answerWaiters = [] }
    for waiter in answerWaiters { waiter.resume() }
  }
}

/// The bus to connect to.
///
/// Source: D-Bus Specification, "Well-known Message Bus Instances".
public enum BusAddress: Sendable, Hashable {
  /// The user's session bus: `DBUS_SESSION_BUS_ADDRESS`, or else the socket in `XDG_RUNTIME_DIR`.
  case session
  /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or else the well-known socket `/var/run/dbus/system_bus_socket`.
  case system
  /// A D-Bus address, such as `unix:path=/run/user/1000/bus`.
  case address(String)

  /// The address to pass to libdbus; nil if the environment names no session bus. A bus is never started for it.
  var resolved: String? {
    switch self {
    case .session:
      Self.environment("DBUS_SESSION_BUS_ADDRESS") ?? Self.environment("XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
    case .system: Self.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
    case .address(let address): address
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return value
  }
}

extension BusAddress: CustomStringConvertible {
  /// The address that is tried, for error messages.
  public var description: String {
    resolved ?? "the session bus (neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set)"
  }
}
