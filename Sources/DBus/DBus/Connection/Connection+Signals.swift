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
    return try await subscriptions.add(rule, SignalBuffer(capacity: bufferSize), on: self)
  }

  func receiveSignal(_ message: ReceivedMessage) {
    // libdbus creates this message itself; the bus does not let other clients send it.
    if message.interface == "org.freedesktop.DBus.Local" {
      if message.member == "Disconnected" { disconnect() }
      return
    }
    guard !padding.receive(message, on: self), let interface = message.interface, case .success(let body) = message.body else {
      return
    }
    let signal = SignalMessage(
      sender: message.sender, path: message.path, interface: interface, member: message.member, body: body, serial: message.serial
    )
    if signal.sender == BusDriver.name, signal.interface == BusDriver.name { receiveBusSignal(signal) }
    subscriptions.deliver(signal)
  }

  private func receiveBusSignal(_ signal: SignalMessage) {
    let texts = signal.body.map { $0.string ?? "" }
    switch (signal.member, texts.count) {
    case ("NameOwnerChanged", 3):
      let (name, owner) = (texts[0], texts[2].isEmpty ? nil : texts[2])
      subscriptions.ownerChanged(of: name, to: owner)
      ownerWatches.ownerChanged(of: name, to: owner)
      if owner == nil { departures.departed(name, on: self) }
    case ("NameLost", 1):
      if ownNames.remove(texts[0]) { eventHub.send(.nameLost(texts[0])) }
    default: break
    }
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
    connection.loop.post { connection.assumeIsolated { $0.subscriptions.remove(id, on: $0) } }
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
