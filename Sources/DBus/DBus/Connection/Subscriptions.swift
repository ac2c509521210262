/// The subscriptions to signals, and the owners of the well-known names whose signals they want. Used only on the
/// connection's executor.
final class Subscriptions {
  private struct Subscription {
    let rule: MatchRule
    let buffer: SignalBuffer
  }

  /// A well-known name whose owner is tracked.
  private struct Followed {
    var owner: String?
    var followers = 1
  }

  private var subscriptions: [UInt64: Subscription] = [:]
  private var names: [String: Followed] = [:]

  deinit { finish() }

  /// Adds a subscription, which is in effect when this returns.
  ///
  /// - Parameters:
  ///   - rule: a rule that the bus accepts.
  ///   - buffer: the buffer for the signals that match it.
  ///   - connection: the connection.
  /// - Returns: the sequence of the signals. The subscription is removed when it has been released.
  /// - Throws: the same errors as ``Connection/call(_:deadline:)``.
  func add(_ rule: MatchRule, _ buffer: SignalBuffer, on connection: isolated Connection) async throws -> SignalSequence {
    let id = connection.nextID()
    if let name = rule.senderToFollow { try await follow(name, on: connection) }
    do {
      try await connection.rules.acquire(rule.string, on: connection)
    } catch {
      if let name = rule.senderToFollow { stopFollowing(name, on: connection) }
      throw error
    }
    subscriptions[id] = Subscription(rule: rule, buffer: buffer)
    let sequence = SignalSequence(buffer: buffer, token: SubscriptionToken(connection: connection, id: id))
    // If the caller has been cancelled meanwhile, the sequence's token undoes everything.
    try Task.checkCancellation()
    guard connection.isOpen else { throw ConnectionError.disconnected }
    return sequence
  }

  /// Removes a subscription.
  func remove(_ id: UInt64, on connection: isolated Connection) {
    guard let subscription = subscriptions.removeValue(forKey: id) else { return }
    connection.rules.release(subscription.rule.string, on: connection)
    if let name = subscription.rule.senderToFollow { stopFollowing(name, on: connection) }
  }

  /// Passes a signal on to the subscriptions that it matches.
  func deliver(_ signal: SignalMessage) {
    for subscription in subscriptions.values where matches(signal, subscription.rule) { subscription.buffer.append(signal) }
  }

  private func matches(_ signal: SignalMessage, _ rule: MatchRule) -> Bool {
    guard let name = rule.senderToFollow else { return rule.matches(signal) }
    // While the name has no owner, no connection can send under it.
    guard let owner = names[name]?.owner else { return false }
    return rule.matches(signal, senderOwner: owner)
  }

  /// Ends all subscriptions, because the connection is lost.
  func clear() {
    finish()
    (subscriptions, names) = ([:], [:])
  }

  private func finish() {
    for subscription in subscriptions.values { subscription.buffer.finish() }
  }

  // MARK: Owners

  /// Records the new owner of a name, if it is tracked.
  func ownerChanged(of name: String, to owner: String?) { names[name]?.owner = owner }

  private func follow(_ name: String, on connection: isolated Connection) async throws {
    if names[name] != nil {
      names[name]?.followers += 1
    } else {
      names[name] = Followed()
    }
    do {
      // Subscribes before it asks, so that no change is missed. The answer is ordered with the changes.
      try await connection.rules.acquire(MatchRule.ownerChanged(of: name).string, on: connection)
    } catch {
      dropFollower(of: name)
      throw error
    }
    await withCheckedContinuation { continuation in
      connection.start(.bus("GetNameOwner", [.string(name)])) { connection, result in
        if let owner = try? result.get().first?.string { connection.subscriptions.ownerChanged(of: name, to: owner) }
        continuation.resume()
      }
    }
  }

  private func stopFollowing(_ name: String, on connection: isolated Connection) {
    dropFollower(of: name)
    connection.rules.release(MatchRule.ownerChanged(of: name).string, on: connection)
  }

  private func dropFollower(of name: String) {
    guard let followers = names[name]?.followers else { return }
    names[name]?.followers = followers - 1
    if followers == 1 { names[name] = nil }
  }
}

extension MatchRule {
  /// The well-known name whose owner must be compared with a signal's sender; nil if the sender can be compared
  /// directly.
  fileprivate var senderToFollow: String? {
    guard let sender, sender.utf8.first != UInt8(ascii: ":"), sender != BusDriver.name else { return nil }
    return sender
  }
}
