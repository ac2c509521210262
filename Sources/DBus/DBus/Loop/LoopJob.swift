/// An entry of the loop's queue.
///
/// A job retains its executor, so the loop cannot end while jobs are queued.
enum LoopJob: Sendable {
  /// A job of an actor on the serial executor.
  case serial(UnownedJob, LoopSerialExecutor)
  /// A job of a task that prefers the loop. The only kind that may be overtaken.
  case task(UnownedJob, LoopTaskExecutor)
  /// Work of the library itself, which runs as a serial job.
  case block(@Sendable () -> Void)
  /// A timer that is due, which runs as a serial job unless it has been cancelled meanwhile.
  case timer(ScheduledTimer)

  var isTask: Bool {
    if case .task = self { true } else { false }
  }

  func run() {
    switch self {
    case .serial(let job, let executor): job.runSynchronously(on: executor.asUnownedSerialExecutor())
    case .task(let job, let executor): job.runSynchronously(on: executor.asUnownedTaskExecutor())
    case .block(let body): body()
    case .timer(let timer): timer.takeBody()?()
    }
  }
}

/// A FIFO queue: a ring buffer that grows and is reused.
struct LoopJobQueue: Sendable {
  private var slots = [LoopJob?](repeating: nil, count: 64)
  private var head = 0
  private(set) var count = 0

  mutating func append(_ job: LoopJob) {
    if count == slots.count {
      let ordered = (0..<count).map { slots[(head + $0) & (slots.count - 1)] }
      slots = ordered + [LoopJob?](repeating: nil, count: count)
      head = 0
    }
    slots[(head + count) & (slots.count - 1)] = job
    count += 1
  }

  var first: LoopJob? { count > 0 ? slots[head] : nil }

  mutating func popFirst() -> LoopJob? {
    guard count > 0 else { return nil }
    let job = slots[head].take()
    head = (head + 1) & (slots.count - 1)
    count -= 1
    return job
  }
}
