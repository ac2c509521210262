#if CustomExecutors
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
  import Glibc

  /// The threads that run this process's Swift tasks, in place of libdispatch's.
  ///
  /// Once a process has used libdispatch's thread pool, it wakes up every second to check whether the pool has enough
  /// threads. These threads sleep until there is something to do, and end when they have been idle for some time.
  ///
  /// Custom executors for an entire process are an interface of the standard library that is not stable yet: Swift
  /// Evolution, "Custom Main and Global Executors". Without the package's trait `CustomExecutors`, the process therefore
  /// runs on Swift's default executors instead.
  package enum ProcessThreads {
    /// Runs the program on these threads until `body` returns. Called once, by `main`, before any task exists.
    ///
    /// - Parameter body: the program. When it returns, the process exits with status 0.
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

  /// Runs the jobs that belong to no thread in particular.
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
      // A clock whose durations have another type implements sleeping itself.
      guard let delay = delay as? Duration else { return lane.enqueue(job) }
      delayed.add(job, after: delay)
    }

    func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
      enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
    }
  }
#endif
