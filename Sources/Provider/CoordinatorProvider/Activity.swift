import Platform

/// Whether the process has anything to do. May be used from any thread.
final class Activity: Sendable {
  private struct State: Sendable {
    var last = ContinuousClock.now
    var running = 0
  }

  private let state = Lock(State())

  /// Notes that something has been asked.
  func note() { state.withLock { $0.last = .now } }

  /// Notes that something begins that takes time.
  func begin() { state.withLock { $0.running += 1 } }

  /// Notes that it has ended.
  func end() {
    state.withLock { state in
      state.running -= 1
      state.last = .now
    }
  }

  /// Returns when nothing has been asked for some time, and nothing runs.
  func waitUntilIdle(for duration: Duration) async throws {
    while true {
      let due = state.withLock { $0.running > 0 ? .now + duration : $0.last + duration }
      guard due > .now else { return }
      try await Task.sleep(until: due)
    }
  }
}
