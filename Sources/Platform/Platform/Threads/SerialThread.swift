import DequeModule
import Dispatch
import Glibc
import Synchronization

/// Runs jobs one at a time on a dedicated thread, in the order in which they were queued. Meant for work that blocks and must
/// not run concurrently, such as access to a database.
///
/// The thread ends after some idle time, so nothing needs to be shut down.
package final class SerialThread: SerialExecutor {
  private enum Job: Sendable {
    case actor(UnownedJob)
    case block(@Sendable () -> Void)
  }

  private struct State {
    var jobs: Deque<Job> = []
    var hasThread = false
    /// Whether the thread is waiting for ``SerialThread/added``.
    var isWaiting = false
  }

  private let name: String
  private let idleTime: Duration
  private let state = Lock(State())
  private let added = DispatchSemaphore(value: 0)
  /// The thread that is inside a job; 0 if none. Needs no memory ordering: a thread compares it only with its own id,
  /// which only that thread stores here.
  private let current = Atomic<UInt>(0)

  /// Creates an executor whose thread starts with the first job.
  ///
  /// - Parameters:
  ///   - name: the name that `ps -L` shows; at most 15 bytes.
  ///   - idleTime: how long the thread waits for another job before it ends.
  package init(name: String, idleTime: Duration = .seconds(5)) {
    self.name = name
    self.idleTime = idleTime
  }

  /// Runs `body` after the jobs that are queued now. May be called from any thread.
  package func post(_ body: @escaping @Sendable () -> Void) { add(.block(body)) }

  package func enqueue(_ job: consuming ExecutorJob) { add(.actor(UnownedJob(job))) }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  package func isIsolatingCurrentContext() -> Bool? { current.load(ordering: .relaxed) == UInt(pthread_self()) }

  package func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the thread of this executor") }

  private func add(_ job: Job) {
    let (starts, wakes) = state.withLock { state in
      state.jobs.append(job)
      defer { (state.hasThread, state.isWaiting) = (true, false) }
      return (!state.hasThread, state.isWaiting)
    }
    if wakes { added.signal() }
    // If no thread can be started, the caller runs the jobs: delaying the caller is better than never running them.
    if starts, !Thread.start(name: name, { self.work(waits: true) }) { work(waits: false) }
  }

  /// Runs jobs until there are none, and, if `waits` is true, until the idle time has passed as well.
  private func work(waits: Bool) {
    while let job = next(waits: waits) {
      let outer = current.exchange(UInt(pthread_self()), ordering: .relaxed)
      switch job {
      case .actor(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .block(let body): body()
      }
      current.store(outer, ordering: .relaxed)
    }
  }

  /// Returns the next job, after waiting for it if `waits` is true; nil if the thread should end.
  private func next(waits: Bool) -> Job? {
    while true {
      let job = state.withLock { state in
        let job = state.jobs.popFirst()
        state.isWaiting = waits && job == nil
        state.hasThread = waits || job != nil
        return job
      }
      if job != nil || !waits { return job }
      guard added.wait(timeout: .now() + .nanoseconds(Int(idleTime / .nanoseconds(1)))) == .timedOut else { continue }
      let isDone = state.withLock { state in
        // If the thread is no longer recorded as waiting, a job has just been added, and its signal is about to follow.
        guard state.isWaiting else { return false }
        (state.isWaiting, state.hasThread) = (false, false)
        return true
      }
      if isDone { return nil }
      added.wait()
    }
  }
}
