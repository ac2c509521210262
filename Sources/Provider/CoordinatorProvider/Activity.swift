import Platform

/// Whether the process has anything to do. May be used from any thread.
final class Activity: Sendable {
  private struct State: Sendable {
    var last = ContinuousClock.now
    var running = 0
    var movable = 0
  }

  private let state = Lock(State())

  /// Notes that something has been asked.
  func note() { state.withLock { $0.last = .now } }

  /// Notes that something begins that takes time.
  ///
  /// - Parameter isMovable: whether another process may go on with it at any time.
  func begin(isMovable: Bool) {
    state.withLock { state in
      state.running += 1
      if isMovable { state.movable += 1 }
    }
  }

  /// Notes that it has ended.
  func end(isMovable: Bool) {
    state.withLock { state in
      state.running -= 1
      if isMovable { state.movable -= 1 }
      state.last = .now
    }
  }

  /// Returns when nothing has been asked for some time, and nothing runs, or only what is movable if that is enough.
  func waitUntilIdle(for duration: Duration, isMovableEnough: Bool = false) async throws {
    while true {
      let due = state.withLock { state in
        state.running > (isMovableEnough ? state.movable : 0) ? .now + duration : state.last + duration
      }
      guard due > .now else { return }
      try await Task.sleep(until: due)
    }
  }
}
