/// The queue of calls that request another attempt to restore held trees.
///
/// Calls that arrive during an attempt are answered by the next one, because the conditions that they expect may have arisen
/// after the current one began.
struct RetryLine<Call: Sendable>: Sendable {
  private var waiting: [Call] = []
  private var isRunning = false

  /// Enqueues a call.
  ///
  /// - Returns: whether the caller must start an attempt.
  mutating func add(_ call: Call) -> Bool {
    waiting.append(call)
    defer { isRunning = true }
    return !isRunning
  }

  /// Dequeues the calls that the next attempt answers; none if no further attempt is needed.
  mutating func next() -> [Call] {
    defer { waiting = [] }
    isRunning = !waiting.isEmpty
    return waiting
  }
}
