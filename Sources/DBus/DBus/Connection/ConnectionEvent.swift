import Platform

/// An event that concerns a connection itself.
public enum ConnectionEvent: Sendable, Hashable {
  /// Another connection has taken over a name that this one owned.
  case nameLost(String)
  /// The bus refused the match rule that reports departures; `watchDeparture` does not work for now.
  case watchRefused(DBusError)
  /// The connection has been closed, by this process or by the bus. The last event.
  case disconnected
}

/// Distributes each event to all streams. May be used from any thread.
final class EventHub: Sendable {
  private struct State {
    var continuations: [UInt64: AsyncStream<ConnectionEvent>.Continuation] = [:]
    var lastKey: UInt64 = 0
    var isFinished = false
  }

  private let state = Lock(State())

  func stream() -> AsyncStream<ConnectionEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ConnectionEvent.self, bufferingPolicy: .bufferingNewest(64))
    let key: UInt64? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.lastKey += 1
      state.continuations[state.lastKey] = continuation
      return state.lastKey
    }
    guard let key else {
      continuation.yield(.disconnected)
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(key) }
    return stream
  }

  func send(_ event: ConnectionEvent) {
    for continuation in state.withLock({ $0.continuations }).values { continuation.yield(event) }
  }

  func finish() {
    let continuations = state.withLock { state in
      state.isFinished = true
      defer { state.continuations = [:] }
      return state.continuations
    }
    for continuation in continuations.values { continuation.finish() }
  }

  private func remove(_ key: UInt64) {
    // The continuation is released outside the lock.
    _ = state.withLock { $0.continuations.removeValue(forKey: key) }
  }
}
