/// A thread that waits for descriptors and timers and runs jobs in the order in which they were queued.
///
/// Being the loop is a *role*. When a task job (one queued by ``taskExecutor``) has run for longer than
/// `takeOverAfter`, a spare thread takes over the role and continues with the queue. The stuck thread ends when its job
/// returns; until then it has a lower priority, so that even many stuck threads do not slow the loop down. Serial jobs
/// (actors on ``serialExecutor``, timers, everything that calls libdbus) are never overtaken: there is always at most
/// one.
///
/// An idle loop does not wake up, except for its heartbeat. The loop ends when nothing refers to it or one of its
/// executors any more: queued jobs still run, and timers that are not due are dropped.
public final class EventLoop: Sendable {
  /// The executor for actors that share the loop's isolation.
  public let serialExecutor: LoopSerialExecutor
  /// The executor preference for tasks that should run on the loop's thread.
  public let taskExecutor: LoopTaskExecutor

  let core: LoopCore

  /// Starts a loop with a dedicated thread. Traps if the system has no thread or descriptor left.
  ///
  /// - Parameters:
  ///   - takeOverAfter: how long a task job may run before another thread takes over the loop.
  ///   - onTakeOver: the closure that the thread that takes over runs as its first serial job, for logs and metrics.
  public init(takeOverAfter: Duration = .milliseconds(100), onTakeOver: (@Sendable () -> Void)? = nil) {
    core = LoopCore(takeOverAfter: takeOverAfter, onTakeOver: onTakeOver)
    let lifetime = LoopLifetime(core: core)
    serialExecutor = LoopSerialExecutor(lifetime: lifetime)
    taskExecutor = LoopTaskExecutor(lifetime: lifetime)
    core.start()
  }

  /// Runs `body` once as a serial job after a delay. May be called from any thread.
  ///
  /// - Parameters:
  ///   - delay: the delay; if it is zero or negative, `body` runs after the jobs that are queued now.
  ///   - body: the closure to run once, unless the timer is cancelled before.
  /// - Returns: the timer, which can be cancelled.
  @discardableResult
  public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledTimer {
    core.schedule(at: Monotonic.after(delay), body)
  }

  /// Runs `body` as a serial job after everything that is queued now. May be called from any thread.
  public func post(_ body: @escaping @Sendable () -> Void) { core.enqueue(.block(body)) }

  /// Runs `body` as a serial job when the loop is otherwise idle: no job is queued and no descriptor is ready. While the loop
  /// is never idle, one such body runs every ten milliseconds. May be called from any thread.
  public func postPatiently(_ body: @escaping @Sendable () -> Void) { core.enqueuePatiently(body) }

  /// Runs `body` periodically as a serial job, ahead of queued jobs, unless the loop is stuck in a job. A loop has one
  /// heartbeat; calling this again replaces it. May be called from any thread.
  public func beat(every interval: Duration, _ body: @escaping @Sendable () -> Void) {
    core.beat(every: max(1, interval.nanoseconds), body)
  }

  /// Whether any job is queued now.
  var hasJobs: Bool { core.state.withLock { $0.jobs.count > 0 } }

  /// Whether the caller runs inside a serial job of this loop, so that `assumeIsolated` succeeds for its actors.
  public var isInSerialJob: Bool { core.isInSerialJob }

  /// Statistics of the loop since its start. May be read from any thread.
  public var statistics: LoopStatistics { core.statistics }
}

/// Statistics of an ``EventLoop`` since its start.
public struct LoopStatistics: Sendable, Hashable {
  /// The number of times that the loop has polled the kernel for events. Constant while the loop is idle
  /// and has no heartbeat.
  public var turns: UInt64 = 0
  /// The number of jobs that have run.
  public var jobs: UInt64 = 0
  /// The number of times that the watchdog was armed: at most once per `takeOverAfter`.
  public var watchdogArms: UInt64 = 0
  /// The number of times that a spare thread has taken over.
  public var takeOvers: UInt64 = 0
  /// The number of the loop's threads now: the one with the role, the watchdog after the first task job, and those that
  /// are stuck.
  public var threads: Int = 0
}

/// Ends the loop's threads when the loop and its executors have been released.
final class LoopLifetime: Sendable {
  let core: LoopCore
  init(core: LoopCore) { self.core = core }
  deinit { core.stop() }
}

/// Runs tasks that prefer the loop's thread: `Task(executorPreference: loop.taskExecutor)`. Obtained from
/// ``EventLoop/taskExecutor``.
///
/// Task groups, `async let`, and nonisolated and `@concurrent` functions inherit the preference: start work that takes
/// time with `executorPreference: globalConcurrentExecutor`. If a job runs for too long here, another thread takes over
/// the loop, and the job finishes on its own thread.
public final class LoopTaskExecutor: TaskExecutor {
  private let core: LoopCore
  private let lifetime: LoopLifetime

  init(lifetime: LoopLifetime) {
    self.core = lifetime.core
    self.lifetime = lifetime
  }

  /// Appends a job to the loop's queue.
  public func enqueue(_ job: consuming ExecutorJob) { core.enqueue(.task(UnownedJob(job), self)) }
}

/// Runs actors on the loop's thread, one job at a time. Obtained from ``EventLoop/serialExecutor``.
///
/// All actors on it share one isolation: each may use `assumeIsolated` on the others, and so may the bodies of timers
/// and the callbacks of a ``Connection`` on the same loop. Its jobs are never overtaken, so they must be short.
public final class LoopSerialExecutor: SerialExecutor {
  private let core: LoopCore
  private let lifetime: LoopLifetime

  init(lifetime: LoopLifetime) {
    self.core = lifetime.core
    self.lifetime = lifetime
  }

  /// Appends a job to the loop's queue.
  public func enqueue(_ job: consuming ExecutorJob) { core.enqueue(.serial(UnownedJob(job), self)) }

  /// Returns the reference that an actor returns as its `unownedExecutor`.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Returns whether the caller runs inside a serial job of this loop. False inside a task job, even on the same
  /// thread.
  public func isIsolatingCurrentContext() -> Bool? { core.isInSerialJob }

  /// Traps unless the caller runs inside a serial job of this loop.
  public func checkIsolated() { precondition(core.isInSerialJob, "not on the serial executor of this event loop") }
}

/// An entry of the loop's queue.
///
/// A job retains its executor, so the loop cannot end while jobs are queued.
enum LoopJob: Sendable {
  /// A job of an actor on the serial executor.
  case serial(UnownedJob, LoopSerialExecutor)
  /// A job of a task that prefers the loop. The only kind that may be overtaken.
  case task(UnownedJob, LoopTaskExecutor)
  /// Work of the library itself, which runs as a serial job.
  case block(@Sendable () -> Void)
  /// A timer that is due, which runs as a serial job unless it has been cancelled meanwhile.
  case timer(ScheduledTimer)

  var isTask: Bool {
    if case .task = self { true } else { false }
  }

  func run() {
    switch self {
    case .serial(let job, let executor): job.runSynchronously(on: executor.asUnownedSerialExecutor())
    case .task(let job, let executor): job.runSynchronously(on: executor.asUnownedTaskExecutor())
    case .block(let body): body()
    case .timer(let timer): timer.takeBody()?()
    }
  }
}

/// A FIFO queue: a ring buffer that grows and is reused.
struct LoopJobQueue: Sendable {
  private var slots = [LoopJob?](repeating: nil, count: 64)
  private var head = 0
  private(set) var count = 0

  mutating func append(_ job: LoopJob) {
    if count == slots.count {
      let ordered = (0..<count).map { slots[(head + $0) & (slots.count - 1)] }
      slots = ordered + [LoopJob?](repeating: nil, count: count)
      head = 0
    }
    slots[(head + count) & (slots.count - 1)] = job
    count += 1
  }

  var first: LoopJob? { count > 0 ? slots[head] : nil }

  mutating func popFirst() -> LoopJob? {
    guard count > 0 else { return nil }
    let job = slots[head].take()
    head = (head + 1) & (slots.count - 1)
    count -= 1
    return job
  }
}
