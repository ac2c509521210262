/// What the holder of the role does next.
enum LoopStep {
  case job(LoopJob, WatchdogNeed)
  case poll
  case overtaken
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
    guard budget > 0, let job = jobs.popFirst() else { return .poll }
    budget -= 1
    statistics.jobs += 1
    guard job.isTask else { return .job(job, .none) }
    taskSince = Monotonic.now()
    return .job(job, takeWatchdogNeed())
  }

  /// Queues the timers that are due, and says how long to wait: nil when the loop is to end, `.max` for ever.
  mutating func prepareToPoll(_ descriptors: inout PollSet) -> UInt64? {
    statistics.turns += 1
    let next = timers.nextTime()
    let now = next == nil ? 0 : Monotonic.now()
    while let timer = timers.popDue(at: now) { jobs.append(.timer(timer)) }
    descriptors.update(from: watches)
    if jobs.count > 0 { return 0 }
    if stopping { return nil }
    sleeping = true
    return timers.nextTime().map { $0 > now ? $0 - now : 0 } ?? .max
  }

  /// The bodies of the watches that have something to do. Sets how many jobs run before the next look at the descriptors: those
  /// that wait now, or a few more that they enqueue, so that a chain of jobs costs no system call each, and yet does not keep the
  /// bus from being read.
  mutating func finishPoll(_ descriptors: PollSet, ready: Int) -> [@Sendable () -> Void] {
    sleeping = false
    budget = max(jobs.count, 32)
    return ready > 0 ? descriptors.readyBodies(in: watches) : []
  }
}
