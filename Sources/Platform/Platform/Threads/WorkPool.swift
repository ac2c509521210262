import Dispatch
import Glibc
import Synchronization

/// A pool of threads for tasks that may block or never end. ``lane(threads:)`` returns executors for them.
///
/// Used instead of Swift's global pool, which has one thread per core: as many tasks that never return would stop all other
/// tasks there. In this pool, a job that occupies its thread for long while others wait is considered stuck, and another thread
/// is added. A thread ends after some idle time, so nothing needs to be shut down.
package final class WorkPool: Sendable {
  fileprivate struct Job: Sendable {
    let job: UnownedJob
    /// Retained until the job has run.
    let lane: WorkLane
  }

  private let name: String
  private let plan: Lock<WorkPlan<Job>>
  private let wakeUps = DispatchSemaphore(value: 0)
  private let lastLane = Atomic<UInt64>(0)
  private let idleTime: Duration

  /// Creates a pool without threads, which are started as jobs arrive.
  ///
  /// - Parameters:
  ///   - name: the name that `ps -L` shows for its threads; at most 9 bytes.
  ///   - usual: the number of threads that are not stuck; by default, the number of cores, but at least four. If the limits of
  ///     all lanes do not add up to more, no job is ever considered stuck.
  ///   - most: the maximum number of threads. When all of them are stuck, further jobs are queued.
  ///   - perLane: the maximum number of threads of a lane without a separate limit.
  ///   - patience: how long a job may run while others wait.
  ///   - idleTime: how long a thread waits for another job before it ends.
  package init(
    name: String = "work", usual: Int = max(4, WorkPool.cores), most: Int = 512, perLane: Int = 16,
    patience: Duration = .milliseconds(100), idleTime: Duration = .seconds(5)
  ) {
    self.name = name
    plan = Lock(WorkPlan(limits: .init(usual: min(usual, most), most: most, perLane: perLane, patience: patience)))
    self.idleTime = idleTime
  }

  /// The number of processor cores.
  package static var cores: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  /// The current number of threads.
  package var threads: Int { plan.withLock { $0.threads } }

  /// Returns a new executor, for tasks that belong together.
  ///
  /// - Parameter threads: the maximum number of threads that run them; by default, the pool's limit for each lane. With
  ///   one thread, blocking calls run one at a time, in the order in which they were queued.
  /// - Returns: an executor without jobs.
  package func lane(threads: Int? = nil) -> WorkLane {
    let number = lastLane.wrappingAdd(1, ordering: .relaxed).newValue
    return WorkLane(pool: self, .init(number: number, threads: threads.map { max(1, $0) }))
  }

  fileprivate func add(_ job: Job) {
    decide { plan in ((), plan.add(job, to: job.lane.lane, now: .now)) }
  }

  fileprivate func isStranded(_ lane: WorkPlan<Job>.Lane) -> Bool { plan.withLock { $0.isStranded(lane) } }

  /// Changes the plan and carries out its orders.
  private func decide<Answer: Sendable>(
    _ body: (inout WorkPlan<Job>) -> (Answer, WorkPlan<Job>.Orders)
  ) -> Answer {
    let (answer, orders) = plan.withLock { plan in
      let decision = body(&plan)
      // Under the lock, because a stuck thread cannot end before it acquires the lock.
      for thread in decision.1.stuck { Thread.lowerPriority(of: thread) }
      return decision
    }
    if orders.wakes { wakeUps.signal() }
    if orders.starts, !Thread.start(name: name, { self.work() }) { plan.withLock { $0.couldNotStart() } }
    if let delay = orders.lookAfter { look(after: delay) }
    return answer
  }

  private func look(after delay: Duration) {
    let started = Thread.start(name: "\(name)-watch") {
      usleep(UInt32(clamping: Int64(max(.zero, delay) / .microseconds(1))))
      self.decide { plan in ((), plan.look(now: .now)) }
    }
    if !started { plan.withLock { $0.couldNotLook() } }
  }

  private func work() {
    let thread = Thread.current
    while true {
      switch decide({ $0.next(on: thread, now: .now) }) {
      case .run(let job): job.job.runSynchronously(on: job.lane.asUnownedTaskExecutor())
      case .wait: if !waitForJob() { return }
      case .end: return
      }
    }
  }

  /// Waits until the thread is woken.
  ///
  /// - Returns: false if the thread should end.
  private func waitForJob() -> Bool {
    let nanoseconds = Int(idleTime / .nanoseconds(1))
    if wakeUps.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success { return true }
    guard !plan.withLock({ $0.endIdle() }) else { return false }
    wakeUps.wait()
    return true
  }
}

/// Runs tasks on the threads of a ``WorkPool``. A lane that hogs its threads does not slow the others.
package final class WorkLane: TaskExecutor {
  private let pool: WorkPool
  fileprivate let lane: WorkPlan<WorkPool.Job>.Lane

  fileprivate init(pool: WorkPool, _ lane: WorkPlan<WorkPool.Job>.Lane) {
    self.pool = pool
    self.lane = lane
  }

  /// Whether jobs of the lane wait and no thread will take them before another job is added, because the system has no
  /// thread left.
  var isStranded: Bool { pool.isStranded(lane) }

  /// Appends a job to the lane.
  package func enqueue(_ job: consuming ExecutorJob) { pool.add(WorkPool.Job(job: UnownedJob(job), lane: self)) }
}

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
