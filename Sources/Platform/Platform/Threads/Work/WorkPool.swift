import Dispatch
import Glibc
import Synchronization

/// A pool of threads for tasks that may block or never end. ``lane()`` returns executors for them.
///
/// Used instead of Swift's global pool, which has one thread per core: as many tasks that never return would stop
/// everything that runs there. Here a job that occupies its thread for long while others wait is considered stuck, and
/// another thread is added. A thread ends when it has been idle for some time, so nothing has to be shut down.
package final class WorkPool: Sendable {
  fileprivate struct Job: Sendable {
    let job: UnownedJob
    /// Retained until the job has run.
    let lane: WorkLane
  }

  private let plan: Lock<WorkPlan<Job>>
  private let wakeUps = DispatchSemaphore(value: 0)
  private let lastLane = Atomic<UInt64>(0)
  private let idleTime: Duration

  /// Creates a pool without threads, which are started as jobs arrive.
  ///
  /// - Parameters:
  ///   - most: the maximum number of threads. When all of them are stuck, further jobs are queued.
  ///   - perLane: the maximum number of threads of a lane.
  ///   - patience: how long a job may run while others wait.
  ///   - idleTime: how long a thread waits for another job before it ends.
  package init(
    most: Int = 512, perLane: Int = 16, patience: Duration = .milliseconds(100), idleTime: Duration = .seconds(5)
  ) {
    let usual = max(4, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    plan = Lock(WorkPlan(limits: .init(usual: min(usual, most), most: most, perLane: perLane, patience: patience)))
    self.idleTime = idleTime
  }

  /// The current number of threads.
  package var threads: Int { plan.withLock(\.threads) }

  /// Returns a new executor, for tasks that belong together.
  package func lane() -> WorkLane { WorkLane(pool: self, number: lastLane.wrappingAdd(1, ordering: .relaxed).newValue) }

  fileprivate func add(_ job: Job) {
    decide { plan in ((), plan.add(job, to: job.lane.number, now: .now)) }
  }

  /// Changes the plan and carries out its orders.
  private func decide<Answer: Sendable>(
    _ body: (inout WorkPlan<Job>) -> (Answer, WorkPlan<Job>.Orders)
  ) -> Answer {
    let (answer, orders) = plan.withLock { plan in
      let decision = body(&plan)
      // Under the lock: until it acquires the lock, a stuck thread cannot have ended.
      for thread in decision.1.stuck { Thread.lowerPriority(of: thread) }
      return decision
    }
    if orders.wakes { wakeUps.signal() }
    if orders.starts, !Thread.start(name: "work", { self.work() }) { plan.withLock { $0.couldNotStart() } }
    if let delay = orders.lookAfter { look(after: delay) }
    return answer
  }

  private func look(after delay: Duration) {
    let started = Thread.start(name: "work-watch") {
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
  fileprivate let number: UInt64

  fileprivate init(pool: WorkPool, number: UInt64) {
    self.pool = pool
    self.number = number
  }

  /// Appends a job to the lane.
  package func enqueue(_ job: consuming ExecutorJob) { pool.add(WorkPool.Job(job: UnownedJob(job), lane: self)) }
}
