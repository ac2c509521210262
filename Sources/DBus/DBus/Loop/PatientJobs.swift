import DequeModule

/// Jobs that let everything else pass: first in, first out, one when there is nothing else to do, and one every ten milliseconds even if
/// there always is.
struct PatientJobs: Sendable {
  private static let patience: UInt64 = 10_000_000

  private var jobs: Deque<LoopJob> = []
  /// When the last one was handed out, or the first one came to an empty line.
  private var since: UInt64 = 0

  var isEmpty: Bool { jobs.isEmpty }

  mutating func append(_ job: LoopJob) {
    if jobs.isEmpty { since = Monotonic.now() }
    jobs.append(job)
  }

  /// The job to run now, if it is one's turn.
  ///
  /// - Parameters:
  ///   - isIdle: Whether there is nothing else to do.
  ///   - now: The time.
  /// - Returns: The job, which is not in line any more.
  mutating func next(isIdle: Bool, now: UInt64) -> LoopJob? {
    guard isIdle || now >= since + Self.patience else { return nil }
    since = now
    return jobs.popFirst()
  }
}
