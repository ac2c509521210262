/// The match rules that the bus has been given, each with the number of its users. Used only on the connection's executor.
final class MatchRules {
  /// Called with nil once the bus has accepted a rule, or else with the error.
  typealias Completion = @Sendable (isolated Connection, (any Error)?) -> Void

  private struct Entry {
    let id: UInt64
    var users = 1
    /// The completions to call once the bus has accepted the rule; nil when it has.
    var waiters: [Completion]?
  }

  private var entries: [String: Entry] = [:]

  /// Adds a rule to the bus, unless it is there already.
  ///
  /// The bus handles the messages of a connection in order, so the rule is in effect when anything sent after it is
  /// answered. `completion` reports whether the bus accepted the rule; if it did not, the rule is not acquired.
  func acquire(_ rule: String, on connection: isolated Connection, completion: @escaping Completion) {
    if let entry = entries[rule] {
      entries[rule]?.users += 1
      if entry.waiters == nil { completion(connection, nil) } else { entries[rule]?.waiters?.append(completion) }
      return
    }
    let id = connection.nextID()
    entries[rule] = Entry(id: id, waiters: [completion])
    connection.start(.bus("AddMatch", [.string(rule)])) { connection, result in
      var error: (any Error)?
      if case .failure(let failure) = result { error = failure }
      connection.rules.finish(rule, id, error, on: connection)
    }
  }

  /// Adds a rule to the bus, unless it is there already, and waits until it is in effect.
  func acquire(_ rule: String, on connection: isolated Connection) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      acquire(rule, on: connection) { _, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  private func finish(_ rule: String, _ id: UInt64, _ error: (any Error)?, on connection: isolated Connection) {
    guard let entry = entries[rule], entry.id == id else { return }
    if error == nil {
      entries[rule]?.waiters = nil
    } else {
      entries[rule] = nil
      // Without an answer, the bus may have accepted the rule nevertheless.
      if !(error is DBusError) { _ = try? connection.send(.bus("RemoveMatch", [.string(rule)])) }
    }
    for waiter in entry.waiters ?? [] { waiter(connection, error) }
  }

  /// Releases a rule; the last release removes it from the bus.
  func release(_ rule: String, on connection: isolated Connection) {
    guard let users = entries[rule]?.users else { return }
    entries[rule]?.users = users - 1
    guard users == 1 else { return }
    entries[rule] = nil
    // Ordered after AddMatch, even if that has not been answered yet.
    try? connection.send(.bus("RemoveMatch", [.string(rule)]))
  }

  /// Forgets all rules, because the connection is lost.
  func clear() { entries = [:] }
}
