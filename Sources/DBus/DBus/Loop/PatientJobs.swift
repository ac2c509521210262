import DequeModule

/// A FIFO queue of jobs with the lowest priority: one runs when the loop is otherwise idle, and one every ten milliseconds even
/// if it never is.
struct PatientJobs: Sendable {
  private static let patience: UInt64 = 10_000_000

  private var jobs: Deque<LoopJob> = []
  /// The time at which the last job was handed out, or the first one was added to an empty queue.
  private var since: UInt64 = 0

  var isEmpty: Bool { jobs.isEmpty }

  mutating func append(_ job: LoopJob) {
    if jobs.isEmpty { since = Monotonic.now() }
    jobs.append(job)
  }

  /// Removes and returns the job to run now, if it is due.
  ///
  /// - Parameters:
  ///   - isIdle: whether the loop is otherwise idle.
  ///   - now: the current time.
  /// - Returns: the job; nil if none is due.
  mutating func next(isIdle: Bool, now: UInt64) -> LoopJob? {
    guard isIdle || now >= since + Self.patience else { return nil }
    since = now
    return jobs.popFirst()
  }
}
