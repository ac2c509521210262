import CDBus
import DequeModule
import Glibc
import Platform
import Synchronization

/// The state that the threads of an ``EventLoop`` share. Everything mutable is protected by one lock, which is held for
/// a few instructions and never while foreign code runs.
final class LoopCore: Sendable {
  struct State {
    var jobs = LoopJobQueue()
    /// Jobs that wait until the loop is otherwise idle.
    var patientJobs = PatientJobs()
    var heartbeat: Heartbeat?
    /// The closures to run before the descriptors are polled again.
    var deferred: [@Sendable () -> Void] = []
    /// The time at which the first of these was added.
    var deferredSince: UInt64 = 0
    /// How many jobs may still run before the descriptors are polled again.
    var budget = 0
    var timers = TimerQueue()
    var watches = WatchTable()
    /// Whether the thread with the role is in `poll`, or about to be, and must be woken for a new job.
    var sleeping = false
    var stopping = false
    /// The holder of the role: incremented by every take-over.
    var holder: UInt64 = 0
    /// The kernel's thread id of the holder.
    var holderThread: pid_t = 0
    /// When the current task job was started; nil if none runs.
    var taskSince: UInt64?
    var watchdogRuns = false
    var watchdogArmed = false
    var statistics = LoopStatistics()
    var whenEnded: (@Sendable () -> Void)?
  }

  let state = Lock(State())
  /// The thread that is inside a serial job; 0 if none. Needs no memory ordering: a thread compares it only with its
  /// own id, which only that thread stores here.
  private let serialThread = Atomic<UInt>(0)
  private let wakeUp: Int32
  let watchdogTimer: Int32
  let takeOverAfter: UInt64
  private let onTakeOver: (@Sendable () -> Void)?

  init(takeOverAfter: Duration, onTakeOver: (@Sendable () -> Void)?) {
    self.takeOverAfter = max(1, takeOverAfter.nanoseconds)
    self.onTakeOver = onTakeOver
    wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    watchdogTimer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC))
    precondition(wakeUp >= 0 && watchdogTimer >= 0, "cannot create the file descriptors of an event loop")
  }

  deinit {
    close(wakeUp)
    close(watchdogTimer)
  }

  var isInSerialJob: Bool { serialThread.load(ordering: .relaxed) == UInt(pthread_self()) }

  var statistics: LoopStatistics { state.withLock { $0.statistics } }

  func enqueue(_ job: LoopJob) {
    wake(
      if: state.withLock { state in
        state.jobs.append(job)
        return state.takeSleeping()
      })
  }

  func enqueuePatiently(_ body: @escaping @Sendable () -> Void) {
    wake(
      if: state.withLock { state in
        state.patientJobs.append(.block(body))
        return state.takeSleeping()
      })
  }

  /// Runs `body` as a serial job before the loop polls its descriptors again. Must be called in a serial job.
  func runBeforePolling(_ body: @escaping @Sendable () -> Void) {
    assert(isInSerialJob)
    let now = Monotonic.now()
    state.withLock { state in
      if state.deferred.isEmpty { state.deferredSince = now }
      state.deferred.append(body)
    }
  }

  /// Calls `body` periodically from now on.
  func beat(every nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) {
    wake(
      if: state.withLock { state in
        state.heartbeat = Heartbeat(interval: nanoseconds, due: Monotonic.now() + nanoseconds, body: .init(run: body))
        return state.takeSleeping()
      })
  }

  func schedule(at time: UInt64, _ body: @escaping @Sendable () -> Void) -> ScheduledTimer {
    let timer = ScheduledTimer(core: self, body: body)
    wake(
      if: state.withLock { state in
        let earlier = state.timers.nextTime().map { time < $0 } ?? true
        state.timers.insert(timer, at: time)
        return earlier && state.takeSleeping()
      })
    return timer
  }

  func timerWasCancelled() { state.withLock { $0.timers.noteCancelled() } }

  /// Calls `body` when the last thread has ended after ``stop()``.
  func whenEnded(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.whenEnded = body } }

  func start() { precondition(startThread { $0.run(as: 0) }, "cannot create a thread for an event loop") }

  /// Lets the threads end once the queue is empty. Nothing can be queued any more, because that requires an executor,
  /// and they have been released.
  func stop() {
    wake(
      if: state.withLock { state in
        state.stopping = true
        return state.takeSleeping()
      })
    setWatchdog(after: 1)
  }

  /// Starts a thread and counts it.
  func startThread(_ body: @escaping @Sendable (LoopCore) -> Void) -> Bool {
    state.withLock { $0.statistics.threads += 1 }
    let started = Thread.start(name: "dbus-loop") { [self] in
      body(self)
      threadEnded()
    }
    if !started { threadEnded() }
    return started
  }

  private func threadEnded() {
    let whenEnded = state.withLock { state in
      state.statistics.threads -= 1
      return state.statistics.threads == 0 ? state.whenEnded.take() : nil
    }
    whenEnded?()
  }

  func wake(if needed: Bool) {
    guard needed else { return }
    var one: UInt64 = 1
    _ = write(wakeUp, &one, 8)
  }

  /// Runs the loop until this thread is overtaken or the loop ends.
  func run(as holder: UInt64) {
    let thread = Thread.current
    state.withLock { $0.holderThread = thread }
    var descriptors = PollSet(wakeUp: wakeUp)
    if holder > 0 { runSerial { onTakeOver?() } }
    while true {
      switch state.withLock({ $0.nextStep(as: holder) }) {
      case .overtaken: return
      case .beat(let body): runSerial(body)
      case .deferred(let bodies): for body in bodies { runSerial(body) }
      case .job(let job, let watchdog): run(job, watchdog)
      case .poll:
        guard let timeout = state.withLock({ $0.prepareToPoll(&descriptors) }) else { return leave() }
        let ready = descriptors.poll(timeout)
        for body in state.withLock({ $0.finishPoll(descriptors, ready: ready) }) { runSerial(body) }
      }
    }
  }

  private func run(_ job: LoopJob, _ watchdog: WatchdogNeed) {
    guard job.isTask else { return runSerial(job.run) }
    // From here on another thread may have taken over the role by the time this one checks again: nothing below may
    // access shared state.
    _ = serialThread.compareExchange(expected: UInt(pthread_self()), desired: 0, ordering: .relaxed)
    if watchdog != .none { armWatchdog(watchdog) }
    job.run()
  }

  private func runSerial(_ body: () -> Void) {
    serialThread.store(UInt(pthread_self()), ordering: .relaxed)
    body()
  }

  private func leave() {
    serialThread.store(0, ordering: .relaxed)
    let left = state.withLock { state in
      defer { (state.timers, state.watches, state.heartbeat) = (TimerQueue(), WatchTable(), nil) }
      return (state.timers, state.watches, state.heartbeat)
    }
    // The closures are released here, outside the lock.
    withExtendedLifetime(left) {}
  }
}

/// A periodic action of a loop that shows that it is not stuck.
struct Heartbeat: Sendable {
  /// A wrapper type, for the same reason as in ``ScheduledTimer``.
  struct Body: Sendable {
    let run: @Sendable () -> Void
  }

  let interval: UInt64
  private(set) var due: UInt64
  private let body: Body

  init(interval: UInt64, due: UInt64, body: Body) {
    self.interval = interval
    self.due = due
    self.body = body
  }

  /// Returns the action if it is due, and schedules the next one after another interval.
  mutating func take(at now: UInt64) -> (@Sendable () -> Void)? {
    guard now >= due else { return nil }
    due = now + interval
    return body.run
  }
}

/// A FIFO queue of jobs with the lowest priority: one runs when the loop is otherwise idle, and one every ten milliseconds even
/// if it never is.
struct PatientJobs: Sendable {
  private static let patience: UInt64 = 10_000_000

  private var jobs: Deque<LoopJob> = []
  /// The time at which the last job was handed out, or the first one was added to an empty queue.
  private var since: UInt64 = 0

  var isEmpty: Bool { jobs.isEmpty }

  mutating func append(_ job: LoopJob) {
    if jobs.isEmpty { since = Monotonic.now() }
    jobs.append(job)
  }

  /// Removes and returns the job to run now, if it is due.
  ///
  /// - Parameters:
  ///   - isIdle: whether the loop is otherwise idle.
  ///   - now: the current time.
  /// - Returns: the job; nil if none is due.
  mutating func next(isIdle: Bool, now: UInt64) -> LoopJob? {
    guard isIdle || now >= since + Self.patience else { return nil }
    since = now
    return jobs.popFirst()
  }
}
