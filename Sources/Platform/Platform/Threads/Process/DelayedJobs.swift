import Dispatch

/// Jobs that are not due yet, and the thread that waits for the first of them. The thread exists only while there are
/// any.
final class DelayedJobs: Sendable {
  private struct Item: Sendable {
    let due: ContinuousClock.Instant
    let job: UnownedJob
  }

  private struct Waiting {
    /// Sorted by due time, latest first.
    var items: [Item] = []
    var hasThread = false

    /// Inserts a job in order, so that it runs after those with the same due time.
    mutating func insert(_ item: Item) {
      var low = 0
      var high = items.count
      while low < high {
        let middle = (low + high) / 2
        if items[middle].due > item.due { low = middle + 1 } else { high = middle }
      }
      items.insert(item, at: low)
    }
  }

  /// What the thread does next.
  private enum Step {
    case run(UnownedJob)
    case wait(until: ContinuousClock.Instant)
    case end
  }

  private let waiting = Lock(Waiting())
  private let changed = DispatchSemaphore(value: 0)
  private let run: @Sendable (UnownedJob) -> Void

  /// Creates an empty queue.
  ///
  /// - Parameter run: a closure that schedules a job that is due on another thread.
  init(run: @escaping @Sendable (UnownedJob) -> Void) { self.run = run }

  /// Runs a job after a delay.
  func add(_ job: UnownedJob, after delay: Duration) {
    let due = ContinuousClock.now + max(delay, .zero)
    let needsThread = waiting.withLock { waiting in
      waiting.insert(Item(due: due, job: job))
      defer { waiting.hasThread = true }
      return !waiting.hasThread
    }
    guard needsThread else {
      changed.signal()
      return
    }
    guard !Thread.start(name: "delays", { self.wait() }) else { return }
    // The system has no thread left: the jobs run too early, rather than never.
    let jobs = waiting.withLock { waiting in
      defer { waiting = Waiting() }
      return waiting.items
    }
    for item in jobs.reversed() { run(item.job) }
  }

  /// Returns how long to wait before checking again: at most a minute, because the semaphore's timeout stands still
  /// while the machine is suspended, and the clock does not.
  static func pause(until due: ContinuousClock.Instant) -> Duration { max(.zero, min(due - .now, .seconds(60))) }

  private func wait() {
    while true {
      switch waiting.withLock({ Self.next(&$0) }) {
      case .run(let job): run(job)
      case .wait(let due):
        _ = changed.wait(timeout: .now() + .nanoseconds(Int(Self.pause(until: due) / .nanoseconds(1))))
      case .end: return
      }
    }
  }

  private static func next(_ waiting: inout Waiting) -> Step {
    guard let first = waiting.items.last else {
      waiting.hasThread = false
      return .end
    }
    guard first.due <= .now else { return .wait(until: first.due) }
    waiting.items.removeLast()
    return .run(first.job)
  }
}
