extension Connection {
  /// Subscribes to the signals that match a rule, starting no later than when this returns.
  ///
  /// - Parameters:
  ///   - rule: the match rule. If its sender is a well-known name, the connection tracks the name's owner and drops
  ///     signals from other senders, even if they reach this connection.
  ///   - bufferSize: the number of signals buffered for a slow reader. Beyond it, the oldest signals are dropped, and
  ///     ``SignalDelivery/gap`` is delivered in their place.
  /// - Returns: a sequence that ends when the connection is lost. The subscription is removed from the bus when the
  ///   sequence and its iterators have been released.
  /// - Throws: `DBusError.invalidArgs` for a rule that the bus would refuse; otherwise the same errors as
  ///   ``call(_:deadline:)``.
  public func signals(matching rule: MatchRule, bufferSize: Int = 1024) async throws -> SignalSequence {
    do {
      try rule.validated()
    } catch {
      throw DBusError.invalidArgs(error.description)
    }
    let buffer = SignalBuffer(capacity: bufferSize)
    let id = nextID()
    if let owner = rule.senderToFollow { try await followOwner(of: owner) }
    do {
      try await acquireMatch(rule.string)
    } catch {
      if let owner = rule.senderToFollow { stopFollowing(owner) }
      throw error
    }
    subscriptions[id] = Subscription(rule: rule, buffer: buffer)
    let sequence = SignalSequence(buffer: buffer, token: SubscriptionToken(connection: self, id: id))
    // If the caller has been cancelled meanwhile, the sequence's token undoes everything.
    try Task.checkCancellation()
    guard isOpen else { throw ConnectionError.disconnected }
    return sequence
  }

  func unsubscribe(_ id: UInt64) {
    guard let subscription = subscriptions.removeValue(forKey: id) else { return }
    releaseMatch(subscription.rule.string)
    if let owner = subscription.rule.senderToFollow { stopFollowing(owner) }
  }

  func receiveSignal(_ message: ReceivedMessage) {
    // libdbus creates this message itself; the bus does not let other clients send it.
    if message.interface == "org.freedesktop.DBus.Local" {
      if message.member == "Disconnected" { disconnect() }
      return
    }
    guard !receivePadding(message), let interface = message.interface, case .success(let body) = message.body else { return }
    let signal = SignalMessage(
      sender: message.sender, path: message.path, interface: interface, member: message.member, body: body, serial: message.serial
    )
    if signal.sender == BusDriver.name, signal.interface == BusDriver.name { receiveBusSignal(signal) }
    for subscription in subscriptions.values where matches(signal, subscription.rule) { subscription.buffer.append(signal) }
  }

  private func matches(_ signal: SignalMessage, _ rule: MatchRule) -> Bool {
    guard let name = rule.senderToFollow else { return rule.matches(signal) }
    // While the name has no owner, no connection can send under it.
    guard let owner = owners[name]?.uniqueName else { return false }
    return rule.matches(signal, senderOwner: owner)
  }

  private func receiveBusSignal(_ signal: SignalMessage) {
    let texts = signal.body.map { $0.string ?? "" }
    switch (signal.member, texts.count) {
    case ("NameOwnerChanged", 3):
      let (name, owner) = (texts[0], texts[2])
      owners[name]?.uniqueName = owner.isEmpty ? nil : owner
      ownerChanged(of: name, to: owner.isEmpty ? nil : owner)
      if owner.isEmpty { departed(name) }
    case ("NameLost", 1):
      if ownedNames.remove(texts[0]) != nil { eventHub.send(.nameLost(texts[0])) }
    default: break
    }
  }

  private func followOwner(of name: String) async throws {
    if owners[name] != nil {
      owners[name]?.followers += 1
    } else {
      owners[name] = NameOwner()
    }
    do {
      // Subscribes before it asks, so that no change is missed. The answer is ordered with the changes.
      try await acquireMatch(MatchRule.ownerChanged(of: name).string)
    } catch {
      dropFollower(of: name)
      throw error
    }
    await withCheckedContinuation { continuation in
      start(.bus("GetNameOwner", [.string(name)])) { connection, result in
        if let owner = try? result.get().first?.string { connection.owners[name]?.uniqueName = owner }
        continuation.resume()
      }
    }
  }

  private func stopFollowing(_ name: String) {
    dropFollower(of: name)
    releaseMatch(MatchRule.ownerChanged(of: name).string)
  }

  private func dropFollower(of name: String) {
    guard let followers = owners[name]?.followers else { return }
    owners[name]?.followers = followers - 1
    if followers == 1 { owners[name] = nil }
  }
}

/// A well-known name whose owner is tracked.
struct NameOwner {
  var uniqueName: String?
  var followers = 1
}

extension MatchRule {
  /// The well-known name whose owner has to be compared with a signal's sender; nil if the sender can be compared
  /// directly.
  fileprivate var senderToFollow: String? {
    guard let sender, sender.utf8.first != UInt8(ascii: ":"), sender != BusDriver.name else { return nil }
    return sender
  }

  fileprivate static func ownerChanged(of name: String) -> MatchRule {
    MatchRule(
      sender: BusDriver.name, path: BusDriver.path, interface: BusDriver.name, member: "NameOwnerChanged", arguments: [0: name])
  }
}
