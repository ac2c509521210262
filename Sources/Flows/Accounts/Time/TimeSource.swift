/// What time it is, and how to wait for another. Handed in, so that a test need not wait.
protocol TimeSource: Sendable {
  /// The time since some moment. It goes on while the machine sleeps, and never back.
  var elapsed: Duration { get }

  /// The time of day: milliseconds since 1970. It goes wherever it is set to.
  var wallClock: Int64 { get }

  /// Waits, until `elapsed` is no less than `deadline`.
  ///
  /// - Parameter deadline: when to go on.
  /// - Throws: `CancellationError`, as soon as the task is cancelled.
  func sleep(until deadline: Duration) async throws
}
