/// A match rule that the bus has been given, and how many want it.
struct MatchEntry {
  let id: UInt64
  var users = 1
  /// Those who wait to hear that the bus has taken the rule; nil once it has.
  var waiters: [@Sendable (isolated Connection, (any Error)?) -> Void]?
}

extension Connection {
  /// Gives a rule to the bus, unless it has it, and waits until it is in force.
  func acquireMatch(_ rule: String) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      acquireMatch(rule) { _, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  /// Gives a rule to the bus, unless it has it. The bus handles messages of one connection in order, so whatever is sent after
  /// this is answered with the rule in force; `completion` tells whether the bus took it. If not, the rule is not acquired.
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
      // Without an answer the bus may have taken the rule all the same.
      if !(error is DBusError) { _ = try? send(.bus("RemoveMatch", [.string(rule)])) }
    }
    for waiter in entry.waiters ?? [] { waiter(self, error) }
  }

  /// Gives a rule up; the bus forgets it when nobody wants it any more.
  func releaseMatch(_ rule: String) {
    guard let users = matches[rule]?.users else { return }
    matches[rule]?.users = users - 1
    guard users == 1 else { return }
    matches[rule] = nil
    // In order behind AddMatch, also when that is still on its way.
    try? send(.bus("RemoveMatch", [.string(rule)]))
  }
}
