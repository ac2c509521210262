import Platform

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
  /// The well-known name whose owner must be compared with a signal's sender; nil if the sender can be compared
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

/// An element of a ``SignalSequence``.
public enum SignalDelivery: Sendable, Hashable {
  /// A received signal.
  case signal(SignalMessage)
  /// Signals were dropped at this point because the reader was too slow.
  case gap
}

/// The signals that match a rule, in the order in which they arrived. Obtained from
/// ``Connection/signals(matching:bufferSize:)``.
///
/// The sequence is bounded: if the reader is too slow, the oldest signals are dropped and ``SignalDelivery/gap`` is
/// delivered. It is meant for one reader; with several, each signal goes to only one of them.
public struct SignalSequence: AsyncSequence, Sendable {
  /// The element type.
  public typealias Element = SignalDelivery
  /// The sequence never throws: a lost connection ends it.
  public typealias Failure = Never

  let buffer: SignalBuffer
  let token: SubscriptionToken

  /// Returns an iterator over the signals.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer, token: token) }

  /// The iterator of a ``SignalSequence``.
  public struct Iterator: AsyncIteratorProtocol {
    let buffer: SignalBuffer
    let token: SubscriptionToken

    /// Returns the next signal; nil when the connection is lost or the task is cancelled.
    public mutating func next() async -> SignalDelivery? { await buffer.next(isolation: nil) }

    /// Returns the next signal without leaving the caller's actor; nil when the connection is lost or the task is
    /// cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> SignalDelivery? {
      await buffer.next(isolation: actor)
    }
  }
}

/// A subscription, as the connection stores it.
struct Subscription {
  let rule: MatchRule
  let buffer: SignalBuffer
}

/// Ends a subscription when the last copy of its sequence has been released.
final class SubscriptionToken: Sendable {
  private let connection: Connection
  private let id: UInt64

  init(connection: Connection, id: UInt64) {
    self.connection = connection
    self.id = id
  }

  deinit {
    let (connection, id) = (connection, id)
    connection.loop.post { connection.assumeIsolated { $0.unsubscribe(id) } }
  }
}

/// A bounded queue between the connection and the reader of a ``SignalSequence``. May be used from any thread.
final class SignalBuffer: Sendable {
  private struct State {
    var signals: [SignalMessage] = []
    /// The index of the oldest signal, so that removing it does not shift the others each time.
    var first = 0
    var hasGap = false
    var isFinished = false
    var readers: [(key: UInt64, continuation: CheckedContinuation<SignalDelivery?, Never>)] = []
    var lastKey: UInt64 = 0
    /// The keys of readers that were cancelled before they started waiting.
    var cancelled: Set<UInt64> = []

    mutating func popFirst() -> SignalMessage? {
      guard first < signals.count else { return nil }
      defer {
        first += 1
        if first == signals.count || first > 4096 {
          signals.removeFirst(first)
          first = 0
        }
      }
      return signals[first]
    }
  }

  private let capacity: Int
  private let state = Lock(State())

  init(capacity: Int) { self.capacity = max(1, capacity) }

  func append(_ signal: SignalMessage) {
    let reader: CheckedContinuation<SignalDelivery?, Never>? = state.withLock { state in
      guard !state.isFinished else { return nil }
      if !state.readers.isEmpty { return state.readers.removeFirst().continuation }
      if state.signals.count - state.first >= capacity {
        _ = state.popFirst()
        state.hasGap = true
      }
      state.signals.append(signal)
      return nil
    }
    reader?.resume(returning: .signal(signal))
  }

  /// Ends the sequence after the signals that it contains.
  func finish() {
    let readers = state.withLock { state in
      state.isFinished = true
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.continuation.resume(returning: nil) }
  }

  func next(isolation actor: isolated (any Actor)?) async -> SignalDelivery? {
    let key = state.withLock { state in
      state.lastKey += 1
      return state.lastKey
    }
    let delivery = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let delivery = take(key, continuation) { continuation.resume(returning: delivery) }
      }
    } onCancel: {
      cancel(key)
    }
    // If the cancellation came after the delivery, its record is of no further use.
    if Task.isCancelled { state.withLock { _ = $0.cancelled.remove(key) } }
    return delivery
  }

  /// Returns what can be delivered at once, where an inner nil means the end. Returns nil if `continuation` was stored.
  private func take(_ key: UInt64, _ continuation: CheckedContinuation<SignalDelivery?, Never>) -> SignalDelivery?? {
    state.withLock { state in
      if state.cancelled.remove(key) != nil { return .some(nil) }
      if state.hasGap {
        state.hasGap = false
        return .gap
      }
      if let signal = state.popFirst() { return .signal(signal) }
      if state.isFinished { return .some(nil) }
      state.readers.append((key, continuation))
      return nil
    }
  }

  private func cancel(_ key: UInt64) {
    let reader: CheckedContinuation<SignalDelivery?, Never>? = state.withLock { state in
      guard let index = state.readers.firstIndex(where: { $0.key == key }) else {
        state.cancelled.insert(key)
        return nil
      }
      return state.readers.remove(at: index).continuation
    }
    reader?.resume(returning: nil)
  }
}
