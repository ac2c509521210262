import Platform

/// The moment from which on nothing of a run is left. May be used from any thread.
final class Departure: Sendable {
  private struct State: Sendable {
    var hasCome = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  /// Whether nothing is left.
  var hasCome: Bool { state.withLock(\.hasCome) }

  /// The moment has come. Later calls do nothing.
  func come() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      state.hasCome = true
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits for the moment, which comes also if the task is cancelled: processes are killed after some seconds.
  func wait() async {
    await withCheckedContinuation { continuation in
      let hasCome = state.withLock { state in
        if !state.hasCome { state.waiters.append(continuation) }
        return state.hasCome
      }
      if hasCome { continuation.resume() }
    }
  }
}
