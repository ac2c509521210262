/// The calls that ask for held trees to be tried again. Those that come while they are being tried are answered by the next try, since
/// what they have seen may have come after this one.
struct RetryLine<Call: Sendable>: Sendable {
  private var waiting: [Call] = []
  private var isRunning = false

  /// Puts a call in the line.
  ///
  /// - Returns: whether to begin.
  mutating func add(_ call: Call) -> Bool {
    waiting.append(call)
    defer { isRunning = true }
    return !isRunning
  }

  /// The calls that the next try answers; none if nobody asks any more.
  mutating func next() -> [Call] {
    defer { waiting = [] }
    isRunning = !waiting.isEmpty
    return waiting
  }
}
