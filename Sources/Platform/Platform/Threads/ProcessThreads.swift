import CPlatform
import Dispatch
import Glibc

#if CustomExecutors
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
  import Glibc

  /// The threads that run this process's Swift tasks, in place of libdispatch's.
  ///
  /// Once a process has used libdispatch's thread pool, it wakes up every second to check whether the pool has enough
  /// threads. These threads sleep until there is something to do, and end when they have been idle for some time.
  ///
  /// Custom executors for an entire process are an interface of the standard library that is not stable yet: Swift
  /// Evolution, "Custom Main and Global Executors". Where Package.swift omits `CustomExecutors`, the process therefore
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

#if !CustomExecutors
  import Dispatch
  import Glibc

  /// The threads that run this process's Swift tasks: libdispatch's. They wake up every second, even when idle.
  ///
  /// Used instead of this package's own threads if Package.swift omits `CustomExecutors`.
  package enum ProcessThreads {
    /// Runs the program until `body` returns. Called once, by `main`, before any task exists.
    ///
    /// - Parameter body: the program. When it returns, the process exits with status 0.
    package static func run(_ body: @escaping @Sendable () async -> Void) -> Never {
      Task.detached {
        await body()
        exit(EXIT_SUCCESS)
      }
      dispatchMain()
    }
  }
#endif

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

/// Jobs that are not due yet, and the thread that waits for the first of them. The thread exists only while there are
/// any.
final class DelayedJobs: Sendable {
  private struct Item: Sendable {
    let due: ContinuousClock.Instant
    let job: UnownedJob
  }

  private struct Waiting {
    /// Sorted by due time, latest first.
    var items: [Item] = []
    var hasThread = false

    /// Inserts a job in order, so that it runs after those with the same due time.
    mutating func insert(_ item: Item) {
      var low = 0
      var high = items.count
      while low < high {
        let middle = (low + high) / 2
        if items[middle].due > item.due { low = middle + 1 } else { high = middle }
      }
      items.insert(item, at: low)
    }
  }

  /// The next action of the thread.
  private enum Step {
    case run(UnownedJob)
    case wait(until: ContinuousClock.Instant)
    case end
  }

  private let waiting = Lock(Waiting())
  private let changed = DispatchSemaphore(value: 0)
  private let run: @Sendable (UnownedJob) -> Void

  /// Creates an empty queue.
  ///
  /// - Parameter run: a closure that schedules a job that is due on another thread.
  init(run: @escaping @Sendable (UnownedJob) -> Void) { self.run = run }

  /// Runs a job after a delay.
  func add(_ job: UnownedJob, after delay: Duration) {
    let due = ContinuousClock.now + max(delay, .zero)
    let needsThread = waiting.withLock { waiting in
      waiting.insert(Item(due: due, job: job))
      defer { waiting.hasThread = true }
      return !waiting.hasThread
    }
    guard needsThread else {
      changed.signal()
      return
    }
    guard !Thread.start(name: "delays", { self.wait() }) else { return }
    // The system has no thread left: the jobs run too early, rather than never.
    let jobs = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting.items
    }
    for item in jobs.reversed() { run(item.job) }
  }

  /// Returns how long to wait before checking again: at most a minute, because the semaphore's timeout stands still
  /// while the machine is suspended, and the clock does not.
  static func pause(until due: ContinuousClock.Instant) -> Duration { max(.zero, min(due - .now, .seconds(60))) }

  private func wait() {
    while true {
      switch waiting.withLock({ Self.next(&$0) }) {
      case .run(let job): run(job)
      case .wait(let due):
        _ = changed.wait(timeout: .now() + .nanoseconds(Int(Self.pause(until: due) / .nanoseconds(1))))
      case .end: return
      }
    }
  }

  private static func next(_ waiting: inout Waiting) -> Step {
    guard let first = waiting.items.last else {
      waiting.hasThread = false
      return .end
    }
    guard first.due <= .now else { return .wait(until: first.due) }
    waiting.items.removeLast()
    return .run(first.job)
  }
}

/// Detached threads, which end when their body returns.
package enum Thread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// The kernel's id of the calling thread.
  package static var current: pid_t { coordinatord_thread() }

  /// Permanently reduces a thread to about a tenth of the processor time wherever others compete for it. The share is no
  /// smaller, because code that is merely slow should still finish on a busy machine.
  ///
  /// Source: setpriority(2).
  package static func lowerPriority(of thread: pid_t) { coordinatord_set_nice(thread, max(nice(of: thread), 10)) }

  /// Returns a thread's nice value.
  ///
  /// Source: getpriority(2).
  package static func nice(of thread: pid_t) -> Int32 { coordinatord_nice(thread) }

  /// Starts a detached thread in which all signals are blocked, so that the threads that handle signals receive them.
  ///
  /// - Parameters:
  ///   - name: the name that `ps -L` shows; at most 15 bytes.
  ///   - body: the closure that the thread runs.
  /// - Returns: false if the system has no thread left.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let body = Unmanaged.passRetained(
      Body {
        coordinatord_set_thread_name(name)
        body()
      })
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if status != 0 { body.release() }
    return status == 0
  }
}
