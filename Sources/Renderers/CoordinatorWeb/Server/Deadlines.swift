import Platform

/// Cancels operations that exceed a timeout. All connections of a server share one timer, which runs only while an
/// operation is in progress. Safe to use from any thread.
///
/// A cancelled `Task.sleep` keeps its timer until the deadline. One timer per connection would let strangers fill the
/// memory by connecting rapidly.
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

  /// The maximum delay with which a deadline is noticed.
  private let precision: Duration
  private let state = Lock(State())

  /// Creates a timer for deadlines.
  ///
  /// - Parameter precision: maximum delay with which a deadline is noticed.
  init(precision: Duration = .milliseconds(500)) { self.precision = precision }

  /// Runs an operation, and cancels it after a timeout.
  ///
  /// - Parameters:
  ///   - limit: timeout.
  ///   - body: operation to run; must react to cancellation.
  /// - Returns: the result of the operation, or nil if the timeout has passed first.
  /// - Throws: whatever `body` throws before the timeout.
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

  /// Checks the deadlines periodically until there are none.
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
