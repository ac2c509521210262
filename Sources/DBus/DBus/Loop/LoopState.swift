/// What the holder of the role does next.
enum LoopStep {
  case job(LoopJob, WatchdogNeed)
  case poll
  case overtaken
  /// The loop's heartbeat is due.
  case beat(@Sendable () -> Void)
}

/// The decisions of the loop. Made under its lock; none of them waits or calls out.
extension LoopCore.State {
  /// Ends the sleep, if there is one: true for the one caller that has to write to the eventfd.
  mutating func takeSleeping() -> Bool {
    defer { sleeping = false }
    return sleeping
  }

  mutating func nextStep(as me: UInt64) -> LoopStep {
    guard holder == me else { return .overtaken }
    taskSince = nil
    if let body = takeBeat() { return .beat(body) }
    guard budget > 0, let job = jobs.popFirst() else { return .poll }
    budget -= 1
    statistics.jobs += 1
    guard job.isTask else { return .job(job, .none) }
    taskSince = Monotonic.now()
    return .job(job, takeWatchdogNeed())
  }

  /// The body of the heartbeat if it is due: looked for before each job, so that no queue is too long for it.
  private mutating func takeBeat() -> (@Sendable () -> Void)? {
    guard heartbeat != nil else { return nil }
    return heartbeat?.take(at: Monotonic.now())
  }

  /// Queues the timers that are due, and says how long to wait: nil when the loop is to end, `.max` for ever.
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

  /// When the loop has to wake up by itself; nil if never.
  private mutating func nextTime() -> UInt64? {
    guard let beat = heartbeat?.due else { return timers.nextTime() }
    return timers.nextTime().map { min($0, beat) } ?? beat
  }

  /// The bodies of the watches that have something to do. Sets how many jobs run before the next look at the descriptors: those
  /// that wait now, or a few more that they enqueue, so that a chain of jobs costs no system call each, and yet does not keep the
  /// bus from being read.
  mutating func finishPoll(_ descriptors: PollSet, ready: Int) -> [@Sendable () -> Void] {
    sleeping = false
    if !patientJobs.isEmpty, let job = patientJobs.next(isIdle: ready == 0 && jobs.count == 0, now: Monotonic.now()) {
      jobs.append(job)
    }
    budget = max(jobs.count, 32)
    return ready > 0 ? descriptors.readyBodies(in: watches) : []
  }
}
