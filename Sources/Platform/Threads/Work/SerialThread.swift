import DequeModule
import Dispatch
import Glibc
import Locking
import Synchronization

/// Runs jobs one after the other, in the order in which they came, on a thread of its own: for what blocks and must not be done twice at
/// once, such as a database. The thread ends when it has had nothing to do for some time, so that nothing has to be shut down.
package final class SerialThread: SerialExecutor {
  private enum Job: Sendable {
    case actor(UnownedJob)
    case block(@Sendable () -> Void)
  }

  private struct State {
    var jobs: Deque<Job> = []
    var hasThread = false
    /// Whether the thread waits for ``SerialThread/added``.
    var isWaiting = false
  }

  private let name: String
  private let idleTime: Duration
  private let state = Lock(State())
  private let added = DispatchSemaphore(value: 0)
  /// The thread that is inside a job now; 0 if none. Only ever compared with the caller's own id, which only the caller itself stores here:
  /// no ordering is needed.
  private let current = Atomic<UInt>(0)

  /// A thread that begins with the first job.
  ///
  /// - Parameters:
  ///   - name: what `ps -L` shows; at most 15 bytes.
  ///   - idleTime: how long the thread waits for another job before it ends.
  package init(name: String, idleTime: Duration = .seconds(5)) {
    self.name = name
    self.idleTime = idleTime
  }

  /// Runs `body` behind what is queued now. May be called anywhere.
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
    // Without a thread to be had, whoever asks does the work: that it waits is better than that it is never done.
    if starts, !Thread.start(name: name, { self.work(waits: true) }) { work(waits: false) }
  }

  /// Runs jobs until there are none, and for some time after that if it waits for more.
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

  /// Waits for a job; nil if the thread is to end.
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
        // If nobody waits any more, a job has come just now, and its signal is about to.
        guard state.isWaiting else { return false }
        (state.isWaiting, state.hasThread) = (false, false)
        return true
      }
      if isDone { return nil }
      added.wait()
    }
  }
}
