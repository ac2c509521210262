import CDBus
import Glibc
import Platform

/// The next action of the holder of the role.
enum LoopStep {
  case job(LoopJob, WatchdogNeed)
  case poll
  case overtaken
  /// The loop's heartbeat is due.
  case beat(@Sendable () -> Void)
  /// The closures that were deferred until the descriptors are polled.
  case deferred([@Sendable () -> Void])
}

/// The decisions of the loop. They are made under its lock; none of them blocks or calls foreign code.
extension LoopCore.State {
  /// Ends the sleep, if there is one. Returns true to the one caller that must write to the eventfd.
  mutating func takeSleeping() -> Bool {
    defer { sleeping = false }
    return sleeping
  }

  mutating func nextStep(as me: UInt64) -> LoopStep {
    guard holder == me else { return .overtaken }
    taskSince = nil
    if let body = takeBeat() { return .beat(body) }
    guard budget > 0, let isTask = jobs.first?.isTask else { return takeDeferred() ?? .poll }
    let now = isTask ? Monotonic.now() : 0
    // A handler may take long.
    if isTask, !deferred.isEmpty, now > deferredSince + Self.deferral, let step = takeDeferred() { return step }
    guard let job = jobs.popFirst() else { return .poll }
    budget -= 1
    statistics.jobs += 1
    guard isTask else { return .job(job, .none) }
    taskSince = now
    return .job(job, takeWatchdogNeed())
  }

  /// The time in nanoseconds after which deferred closures run before any task job.
  private static var deferral: UInt64 { 500_000 }

  private mutating func takeDeferred() -> LoopStep? {
    guard !deferred.isEmpty else { return nil }
    defer { deferred.removeAll(keepingCapacity: true) }
    return .deferred(deferred)
  }

  /// Returns the body of the heartbeat if it is due. Checked before each job, so that no queue is too long for it.
  private mutating func takeBeat() -> (@Sendable () -> Void)? {
    guard heartbeat != nil else { return nil }
    return heartbeat?.take(at: Monotonic.now())
  }

  /// Queues the timers that are due, and returns how long to wait in nanoseconds: nil if the loop should end, `.max` to
  /// wait indefinitely.
  mutating func prepareToPoll(_ descriptors: inout PollSet) -> UInt64? {
    statistics.turns += 1
    let next = nextTime()
    let now = next == nil ? 0 : Monotonic.now()
    while let timer = timers.popDue(at: now) { jobs.append(.timer(timer)) }
    descriptors.update(from: watches)
    if jobs.count > 0 || !patientJobs.isEmpty { return 0 }
    if stopping { return nil }
    sleeping = true
    return nextTime().map { $0 > now ? $0 - now : 0 } ?? .max
  }

  /// Returns the time at which the loop must wake up without an event; nil for never.
  private mutating func nextTime() -> UInt64? {
    guard let beat = heartbeat?.due else { return timers.nextTime() }
    return timers.nextTime().map { min($0, beat) } ?? beat
  }

  /// Returns the bodies of the watches that are ready.
  ///
  /// Also sets how many jobs run before the descriptors are polled again: those that are queued now, or a few more that
  /// they enqueue. A chain of jobs therefore does not cost a system call each, but does not keep the bus from being
  /// read either.
  mutating func finishPoll(_ descriptors: PollSet, ready: Int) -> [@Sendable () -> Void] {
    sleeping = false
    if !patientJobs.isEmpty, let job = patientJobs.next(isIdle: ready == 0 && jobs.count == 0, now: Monotonic.now()) {
      jobs.append(job)
    }
    budget = max(jobs.count, 32)
    return ready > 0 ? descriptors.readyBodies(in: watches) : []
  }
}

/// The descriptors that a loop polls. Entries are few (two for each connection).
struct WatchTable: Sendable {
  struct Watch: Sendable {
    var descriptor: Int32
    /// `POLLIN`, `POLLOUT`, or 0 to be notified of errors only.
    var events: Int16
    /// Called as a serial job with the events that `poll` returned, repeatedly until their cause is gone
    /// (level-triggered).
    var body: @Sendable (Int16) -> Void
  }

  private(set) var watches: [UInt64: Watch] = [:]
  /// Incremented whenever the table changes, so that the poll set is not rebuilt on every turn.
  private(set) var version: UInt64 = 0
  private var lastKey: UInt64 = 0

  mutating func insert(_ watch: Watch) -> UInt64 {
    lastKey += 1
    version += 1
    watches[lastKey] = watch
    return lastKey
  }

  mutating func remove(_ key: UInt64) -> Watch? {
    version += 1
    return watches.removeValue(forKey: key)
  }
}

/// The argument of `poll`, kept between turns.
struct PollSet {
  private var entries: [pollfd]
  private var keys: [UInt64] = []
  private var version: UInt64 = 0

  init(wakeUp: Int32) { entries = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)] }

  mutating func update(from table: WatchTable) {
    guard table.version != version else { return }
    version = table.version
    keys = table.watches.keys.sorted()
    entries.removeLast(entries.count - 1)
    for key in keys {
      guard let watch = table.watches[key] else { continue }
      entries.append(pollfd(fd: watch.descriptor, events: watch.events, revents: 0))
    }
  }

  /// Waits for up to `timeout` nanoseconds, where `.max` means indefinitely, and drains the eventfd if it was written
  /// to.
  ///
  /// - Returns: the number of watches that are ready.
  mutating func poll(_ timeout: UInt64) -> Int {
    // Rounded up, so that a timer is due when the wait for it ends. A wait beyond the range of `poll` ends early and is
    // repeated.
    let milliseconds = min(timeout / 1_000_000 + (timeout % 1_000_000 == 0 ? 0 : 1), UInt64(Int32.max))
    let count = Glibc.poll(&entries, UInt(entries.count), timeout == .max ? -1 : Int32(milliseconds))
    guard count > 0 else { return 0 }
    guard entries[0].revents != 0 else { return Int(count) }
    var value: UInt64 = 0
    _ = read(entries[0].fd, &value, 8)
    return Int(count) - 1
  }

  func readyBodies(in table: WatchTable) -> [@Sendable () -> Void] {
    zip(keys, entries.dropFirst()).compactMap { key, entry in
      guard entry.revents != 0, let watch = table.watches[key] else { return nil }
      let (body, events) = (watch.body, entry.revents)
      return { body(events) }
    }
  }
}

extension LoopCore {
  /// Starts polling a descriptor. To change the events, remove the watch and add another.
  func addWatch(descriptor: Int32, events: Int16, _ body: @escaping @Sendable (Int16) -> Void) -> UInt64 {
    let (key, sleeping) = state.withLock { state in
      (state.watches.insert(.init(descriptor: descriptor, events: events, body: body)), state.takeSleeping())
    }
    wake(if: sleeping)
    return key
  }

  /// Stops polling a descriptor. The body may be called once more in the current turn, which its owner must tolerate.
  func removeWatch(_ key: UInt64) {
    let removed = state.withLock { $0.watches.remove(key) }
    // The body is released here, outside the lock.
    withExtendedLifetime(removed) {}
  }
}

/// The preparation that the watchdog needs before a task job starts.
enum WatchdogNeed {
  case none
  case arm
  case startAndArm
}

/// The watchdog: a thread that sleeps in `read` on a timerfd, and takes over the role when a task job runs for too
/// long.
///
/// The timer is set when a task job starts while it is not set. When it expires, the watchdog checks the age of the job
/// that runs at that moment, and sets the timer to the remaining time, or leaves it unset if there is no job. This
/// costs one system call per `takeOverAfter` while the loop is busy, and nothing while it is idle.
extension LoopCore.State {
  enum WatchdogVerdict {
    case wait
    case waitAgain(UInt64)
    case takeOver(UInt64)
    case end
  }

  mutating func takeWatchdogNeed() -> WatchdogNeed {
    // There is no take-over while the loop ends: the current job may be the last.
    guard !watchdogArmed, !stopping else { return .none }
    watchdogArmed = true
    statistics.watchdogArms += 1
    defer { watchdogRuns = true }
    return watchdogRuns ? .arm : .startAndArm
  }

  mutating func watchdogWentOff(takeOverAfter: UInt64) -> WatchdogVerdict {
    guard !stopping else { return .end }
    guard let since = taskSince else {
      watchdogArmed = false
      return .wait
    }
    let now = Monotonic.now()
    let age = now > since ? now - since : 0
    guard age >= takeOverAfter else {
      statistics.watchdogArms += 1
      return .waitAgain(takeOverAfter - age)
    }
    holder += 1
    taskSince = nil
    budget = 0
    watchdogArmed = false
    watchdogRuns = false
    statistics.takeOvers += 1
    return .takeOver(holder)
  }
}

extension LoopCore {
  func armWatchdog(_ need: WatchdogNeed) {
    setWatchdog(after: takeOverAfter)
    guard need == .startAndArm, !startThread({ $0.watch() }) else { return }
    // There is no thread left: the next task job retries.
    state.withLock { ($0.watchdogArmed, $0.watchdogRuns) = (false, false) }
  }

  func setWatchdog(after nanoseconds: UInt64) {
    var time = itimerspec()
    time.it_value = timespec(nanoseconds: nanoseconds)
    timerfd_settime(watchdogTimer, 0, &time, nil)
  }

  /// Takes the role from a stuck thread and lowers that thread's priority, so that the loop does not compete for the
  /// processor with threads that spin, however many there are.
  private func takeOverIfStuck(_ state: inout State) -> State.WatchdogVerdict {
    let stuck = state.holderThread
    let verdict = state.watchdogWentOff(takeOverAfter: takeOverAfter)
    // Under the lock: until it acquires the lock, the thread does not know that it was overtaken, so it cannot have
    // ended.
    if case .takeOver = verdict { Thread.lowerPriority(of: stuck) }
    return verdict
  }

  private func watch() {
    while true {
      var expirations: UInt64 = 0
      _ = read(watchdogTimer, &expirations, 8)
      switch state.withLock({ takeOverIfStuck(&$0) }) {
      case .wait: continue
      case .waitAgain(let rest): setWatchdog(after: rest)
      case .takeOver(let holder): return run(as: holder)
      case .end: return
      }
    }
  }
}
