import Platform

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
