import DequeModule
import Glibc

/// Decides which job runs next, and on how many threads. A pure value.
///
/// While jobs finish, a few threads are enough. A job that has run for longer than `patience` while others wait is *stuck*:
/// another thread takes the place of its thread. Jobs that never end therefore cost one thread each, and delay the others only
/// briefly.
///
/// Jobs are queued in lanes. A lane with no running job takes precedence; the others take turns. Each lane has a limited number
/// of threads, so a lane full of jobs that never end affects no other lane. A lane of one thread runs its jobs in order.
struct WorkPlan<Job: Sendable>: Sendable {
  /// Limits on threads and running times.
  struct Limits: Sendable {
    /// The number of threads that are not stuck.
    var usual: Int
    /// The total number of threads.
    var most: Int
    /// The number of threads that run the jobs of a lane without a separate limit.
    var perLane: Int
    /// How long a job may run while others wait.
    var patience: Duration
  }

  /// The next action of a thread.
  enum Step: Sendable {
    case run(Job)
    /// Wait to be woken.
    case wait
    case end
  }

  /// The actions that the caller must take after changing the plan.
  struct Orders: Sendable, Equatable {
    /// Wake one of the waiting threads.
    var wakes = false
    /// Start a thread.
    var starts = false
    /// Lower the priority of these threads, whose jobs are stuck.
    var stuck: [pid_t] = []
    /// Check again after this time.
    var lookAfter: Duration?
  }

  /// Identifies a lane.
  struct Lane: Sendable, Hashable {
    var number: UInt64
    /// The number of threads that run the jobs of this lane, which takes precedence over ``Limits/perLane``.
    var threads: Int?
  }

  typealias Instant = SuspendingClock.Instant

  private struct LaneState: Sendable {
    var waiting: Deque<Job> = []
    var running = 0
    /// Whether the lane is queued for a thread. A lane is queued once while it has waiting jobs and may use another
    /// thread.
    var isInLine = false
  }

  private struct Running: Sendable {
    let lane: Lane
    let since: Instant
    var isStuck = false
  }

  private let limits: Limits
  private var lanes: [Lane: LaneState] = [:]
  /// The lanes that had no running job when they were queued.
  private var firstLine: Deque<Lane> = []
  private var secondLine: Deque<Lane> = []
  private var running: [pid_t: Running] = [:]
  private var idle = 0
  private var stuck = 0
  private var isLooking = false
  /// The number of threads, including those that are being started.
  private(set) var threads = 0

  init(limits: Limits) { self.limits = limits }

  /// Adds a job at the end of its lane.
  mutating func add(_ job: Job, to lane: Lane, now: Instant) -> Orders {
    lanes[lane, default: LaneState()].waiting.append(job)
    getInLine(lane)
    return orders(now)
  }

  /// Returns the next action of a thread that has just started, was woken, or has run its job.
  mutating func next(on thread: pid_t, now: Instant) -> (Step, Orders) {
    if let done = running.removeValue(forKey: thread) {
      leave(done.lane)
      if done.isStuck {
        // The thread keeps its low priority.
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

  /// Ends a thread that has been idle for long enough.
  ///
  /// - Returns: false if a waiting thread, this one or another, is about to be woken.
  mutating func endIdle() -> Bool {
    guard idle > 0 else { return false }
    idle -= 1
    threads -= 1
    return true
  }

  /// Records that no thread could be started. The next job retries.
  mutating func couldNotStart() { threads -= 1 }

  /// Returns whether jobs of a lane wait and no thread will take them, because none could be started.
  func isStranded(_ lane: Lane) -> Bool { threads == 0 && lanes[lane]?.waiting.isEmpty == false }

  /// Records that the check could not be scheduled.
  mutating func couldNotLook() { isLooking = false }

  /// Checks again, as ordered.
  mutating func look(now: Instant) -> Orders {
    isLooking = false
    return orders(now)
  }

  // MARK: Lanes

  private mutating func getInLine(_ lane: Lane) {
    let most = lane.threads ?? limits.perLane
    guard let state = lanes[lane], !state.isInLine, !state.waiting.isEmpty, state.running < most else { return }
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

  /// Ensures that a thread takes the next job. That thread then does the same for the job after it.
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
    } else if !isLooking, let oldest = running.values.lazy.filter({ !$0.isStuck }).map({ $0.since }).min() {
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
