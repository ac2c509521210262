import DequeModule
import Glibc

/// Which job runs next, and on how many threads: a value that decides.
///
/// A few threads are enough as long as jobs come to their end. One that has run for longer than `patience` while others wait is
/// *stuck*: another thread takes its place. So jobs that never end cost a thread each, and the others wait a moment at most.
///
/// Jobs come in lanes. A lane none of whose jobs runs goes first; the others take turns, and each has a limited number of threads: a
/// lane full of jobs that never end is at nobody's cost but its own.
struct WorkPlan<Job: Sendable>: Sendable {
  /// How many threads there are.
  struct Limits: Sendable {
    /// How many that are not stuck.
    var usual: Int
    /// How many at all.
    var most: Int
    /// How many that run the jobs of one lane.
    var perLane: Int
    /// How long a job may run while others wait.
    var patience: Duration
  }

  /// What a thread does next.
  enum Step: Sendable {
    case run(Job)
    /// Wait to be woken.
    case wait
    case end
  }

  /// What else is to be done, by whoever changed the plan.
  struct Orders: Sendable, Equatable {
    /// Wake one of the threads that wait.
    var wakes = false
    /// Start a thread.
    var starts = false
    /// Lower the priority of threads whose jobs are stuck.
    var stuck: [pid_t] = []
    /// Look again after that time.
    var lookAfter: Duration?
  }

  typealias Lane = UInt64
  typealias Instant = SuspendingClock.Instant

  private struct LaneState: Sendable {
    var waiting: Deque<Job> = []
    var running = 0
    /// Whether it is in line: once while something waits in it and it may have another thread.
    var isInLine = false
  }

  private struct Running: Sendable {
    let lane: Lane
    let since: Instant
    var isStuck = false
  }

  private let limits: Limits
  private var lanes: [Lane: LaneState] = [:]
  /// Those none of whose jobs ran when they got in line.
  private var firstLine: Deque<Lane> = []
  private var secondLine: Deque<Lane> = []
  private var running: [pid_t: Running] = [:]
  private var idle = 0
  private var stuck = 0
  private var isLooking = false
  /// How many threads there are, those included that are being started.
  private(set) var threads = 0

  init(limits: Limits) { self.limits = limits }

  /// Adds a job at the end of its lane.
  mutating func add(_ job: Job, to lane: Lane, now: Instant) -> Orders {
    lanes[lane, default: LaneState()].waiting.append(job)
    getInLine(lane)
    return orders(now)
  }

  /// Says what a thread does next, which has just started, was woken, or has run its job.
  mutating func next(on thread: pid_t, now: Instant) -> (Step, Orders) {
    if let done = running.removeValue(forKey: thread) {
      leave(done.lane)
      if done.isStuck {
        // Its priority stays low.
        stuck -= 1
        threads -= 1
        return (.end, orders(now))
      }
    }
    guard let (lane, job) = pop() else {
      idle += 1
      return (.wait, Orders())
    }
    running[thread] = Running(lane: lane, since: now)
    return (.run(job), orders(now))
  }

  /// Lets a thread end that has waited for long enough.
  ///
  /// - Returns: false if somebody is about to wake it, or another one that waits.
  mutating func endIdle() -> Bool {
    guard idle > 0 else { return false }
    idle -= 1
    threads -= 1
    return true
  }

  /// Notes that there was no thread to be had. The next job tries again.
  mutating func couldNotStart() { threads -= 1 }

  /// Notes that nobody will look again.
  mutating func couldNotLook() { isLooking = false }

  /// Looks again, because it was ordered to.
  mutating func look(now: Instant) -> Orders {
    isLooking = false
    return orders(now)
  }

  // MARK: Lanes

  private mutating func getInLine(_ lane: Lane) {
    guard let state = lanes[lane], !state.isInLine, !state.waiting.isEmpty, state.running < limits.perLane else { return }
    lanes[lane]?.isInLine = true
    if state.running == 0 { firstLine.append(lane) } else { secondLine.append(lane) }
  }

  private mutating func pop() -> (Lane, Job)? {
    guard let lane = firstLine.popFirst() ?? secondLine.popFirst() else { return nil }
    lanes[lane]?.isInLine = false
    guard let job = lanes[lane]?.waiting.popFirst() else { return nil }
    lanes[lane]?.running += 1
    getInLine(lane)
    return (lane, job)
  }

  private mutating func leave(_ lane: Lane) {
    lanes[lane]?.running -= 1
    getInLine(lane)
    if let state = lanes[lane], state.running == 0, state.waiting.isEmpty { lanes[lane] = nil }
  }

  // MARK: Threads

  /// Sees to it that somebody takes the next job. Whoever does asks again, for the one behind it.
  private mutating func orders(_ now: Instant) -> Orders {
    var orders = Orders()
    let isAnybodyComing = threads > running.count + idle
    guard !isAnybodyComing, !(firstLine.isEmpty && secondLine.isEmpty) else { return orders }
    guard idle == 0 else {
      idle -= 1
      orders.wakes = true
      return orders
    }
    if threads - stuck >= limits.usual { orders.stuck = findStuck(now) }
    if threads - stuck < limits.usual {
      guard threads < limits.most else { return orders }
      threads += 1
      orders.starts = true
    } else if !isLooking, let oldest = running.values.lazy.filter({ !$0.isStuck }).map(\.since).min() {
      isLooking = true
      orders.lookAfter = limits.patience - oldest.duration(to: now)
    }
    return orders
  }

  private mutating func findStuck(_ now: Instant) -> [pid_t] {
    let found = running.filter { !$0.value.isStuck && $0.value.since.duration(to: now) >= limits.patience }.map(\.key)
    for thread in found { running[thread]?.isStuck = true }
    stuck += found.count
    return found
  }
}
