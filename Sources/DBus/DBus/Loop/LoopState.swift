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

  /// The time at which the loop must wake up without an event; nil for never.
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
