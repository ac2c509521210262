import Locking

/// Ends what takes too long: one clock for all of a server's connections, that ticks only while something is under way.
///
/// A task that sleeps leaves its timer behind when it is cancelled, until the time is over: one for each connection would let strangers
/// fill the memory by connecting quickly.
final class Deadlines: Sendable {
  private struct Entry {
    let due: ContinuousClock.Instant
    let expire: @Sendable () -> Void
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var number = 0
    var isTicking = false
  }

  /// How late a deadline may be noticed.
  private let precision: Duration
  private let state = Lock(State())

  /// A clock for deadlines.
  ///
  /// - Parameter precision: How late they may be noticed.
  init(precision: Duration = .milliseconds(500)) { self.precision = precision }

  /// Does something, but not for longer than a while; then it is cancelled.
  ///
  /// - Parameters:
  ///   - limit: How long it may take.
  ///   - body: What to do; has to notice that it is cancelled.
  /// - Returns: What it returned; nil if the time was over first.
  /// - Throws: What it threw.
  func within<Result: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    let task = Task { try await body() }
    let isExpired = Flag()
    let number = add(after: limit) {
      isExpired.raise()
      task.cancel()
    }
    defer { state.withLock { $0.entries[number] = nil } }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      if isExpired.isRaised { return nil }
      throw error
    }
  }

  private func add(after limit: Duration, _ expire: @escaping @Sendable () -> Void) -> Int {
    let due = ContinuousClock.now + limit
    let (number, begins) = state.withLock { state in
      state.number += 1
      state.entries[state.number] = Entry(due: due, expire: expire)
      defer { state.isTicking = true }
      return (state.number, !state.isTicking)
    }
    if begins { Task { await tick() } }
    return number
  }

  /// Looks again and again, until there is nothing to look at.
  private func tick() async {
    while state.withLock({ state in
      state.isTicking = !state.entries.isEmpty
      return state.isTicking
    }) {
      try? await Task.sleep(for: precision)
      let now = ContinuousClock.now
      let expired = state.withLock { state in
        let over = state.entries.filter { $0.value.due <= now }
        for number in over.keys { state.entries[number] = nil }
        return over.values.map(\.expire)
      }
      for expire in expired { expire() }
    }
  }
}
