extension WorkLane {
  /// The system has no thread left.
  package struct OutOfThreads: Error, Sendable, Hashable {}

  /// Runs a blocking call on a thread of the lane. It is queued, after earlier ones, before this method first suspends.
  ///
  /// If the task is cancelled, this method throws immediately, and `body` is not run unless it has already started; in that
  /// case, it runs to completion. A caller that must wait for `body` in any case uses a task with this lane as its executor
  /// preference instead.
  ///
  /// - Parameters:
  ///   - mustRun: whether to run `body` even if the task is cancelled.
  ///   - body: the blocking call. Released when it has run, or as soon as it is certain that it does not.
  /// - Returns: the value that `body` returns.
  /// - Throws: `CancellationError`, ``OutOfThreads``, or the error that `body` throws.
  package nonisolated(nonsending) func call<Product: Sendable>(
    mustRun: Bool = false, _ body: @escaping @Sendable () throws -> Product
  ) async throws -> Product {
    let pending = Pending(body)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let work = Task(executorPreference: self) {
      defer { end.finish() }
      guard let body = pending.take() else { throw CancellationError() }
      return try body()
    }
    if isStranded, pending.take() != nil { throw OutOfThreads() }
    // Ends when `work` does, or immediately if this task is cancelled.
    for await _ in ended {}
    if Task.isCancelled {
      if !mustRun { _ = pending.take() }
      throw CancellationError()
    }
    return try await work.value
  }
}

/// A call that is taken either by a thread or by a caller that abandons it.
private final class Pending<Product: Sendable>: Sendable {
  typealias Body = @Sendable () throws -> Product

  private let body: Lock<Body?>

  init(_ body: @escaping Body) { self.body = Lock(body) }

  func take() -> Body? {
    body.withLock { body in
      defer { body = nil }
      return body
    }
  }
}
