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
