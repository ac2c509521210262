#if CustomExecutors
  @_spi(ExperimentalCustomExecutors) import _Concurrency
  import DequeModule
  import Dispatch

  /// Runs the main actor's jobs on the process's initial thread, which sleeps while there are none.
  final class MainThread: MainExecutor {
    private let jobs = Lock(Deque<UnownedJob>())
    private let added = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
      added.signal()
    }

    /// Runs jobs as they arrive. Must be called on the main thread.
    func runForever() -> Never {
      while true {
        added.wait()
        if let job = jobs.withLock({ $0.popFirst() }) { job.runSynchronously(on: asUnownedSerialExecutor()) }
      }
    }

    func run() { runForever() }

    /// Does nothing: the process exits instead.
    func stop() {}
  }
#endif
