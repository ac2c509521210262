import Platform

/// A signal that one task waits for, and that is given once.
final class Signal: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  private let isOver = Lock(false)

  init() {
    continuation.onTermination = { [isOver] _ in isOver.withLock { $0 = true } }
  }

  /// Whether the signal has not been given and the waiting task has not been cancelled.
  var isWanted: Bool { !isOver.withLock(\.self) }

  /// Resumes the waiting task. Has no effect if the signal has been given before.
  func give() { continuation.finish() }

  /// Waits for the signal. Call this once.
  ///
  /// - Throws: `CancellationError` immediately if the task is cancelled.
  nonisolated(nonsending) func wait() async throws {
    for await _ in stream {}
    try Task.checkCancellation()
  }
}
