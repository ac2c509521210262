@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
import Glibc

/// The threads that Swift's tasks run on in this process, in place of libdispatch's.
///
/// Whoever has used libdispatch's threads wakes up every second from then on, since something looks whether there are enough of them.
/// These sleep until there is something to do, and end when there has been nothing for some time.
///
/// Custom executors for a whole process are an interface that the standard library has, and does not promise yet: Swift Evolution,
/// "Custom Main and Global Executors".
package enum ProcessThreads {
  /// Runs the program on these threads from now on, until `body` ends it. Called once, by `main`, before there is any task.
  ///
  /// - Parameter body: the program; when it returns, the process exits with status 0.
  package static func run(_ body: @escaping @Sendable () async -> Void) -> Never {
    _createExecutors(factory: Executors.self)
    Task.detached {
      await body()
      exit(EXIT_SUCCESS)
    }
    Executors.main.runForever()
  }

  private struct Executors: ExecutorFactory {
    static let main = MainThread()
    static let pool = ProcessPool()
    static var mainExecutor: any MainExecutor { main }
    static var defaultExecutor: any TaskExecutor { pool }
  }
}

/// Runs what belongs on no thread in particular.
private final class ProcessPool: TaskExecutor, SchedulingExecutor {
  private let lane: WorkLane
  private let delayed: DelayedJobs

  init() {
    let lane = WorkPool().lane()
    self.lane = lane
    delayed = DelayedJobs { lane.enqueue($0) }
  }

  func enqueue(_ job: consuming ExecutorJob) { lane.enqueue(job) }

  func enqueue<C: Clock>(_ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C) {
    let job = UnownedJob(job)
    // A clock with durations of another kind brings a way to sleep of its own.
    guard let delay = delay as? Duration else { return lane.enqueue(job) }
    delayed.add(job, after: delay)
  }

  func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
    enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
  }
}
