/// A source of time, and a way to wait. Injected, so that tests need not wait.
///
/// ```swift
/// let time = SystemTime()
/// try await time.sleep(until: time.elapsed + .milliseconds(200))
/// ```
protocol TimeSource: Sendable {
  /// The time since an arbitrary moment. Must include the time that the machine sleeps, and never decrease.
  var elapsed: Duration { get }

  /// The time of day in milliseconds since 1970. It may jump when the clock is set.
  var wallClock: Int64 { get }

  /// Called to wait. Your implementation should return as soon as `elapsed` has reached `deadline`.
  ///
  /// - Parameter deadline: the value of `elapsed` to wait for.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(until deadline: Duration) async throws
}
