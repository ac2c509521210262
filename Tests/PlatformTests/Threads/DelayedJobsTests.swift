import Testing

@testable import Platform

@Suite("Delayed jobs", .timeLimit(.minutes(5)))
struct DelayedJobsTests {
  @Test("Delayed jobs run in the order in which they are due, and in arrival order if due at the same time")
  func delayedJobsRunInDueOrder() async {
    let later = Later()
    let names = Lock<[String]>([])
    let tasks = [("last", 60), ("first", 5), ("second", 20), ("third", 20)].map { name, delay in
      later.start(after: .milliseconds(delay)) { names.withLock { $0.append(name) } }
    }
    for task in tasks { await task.value }
    #expect(names.withLock(\.self) == ["first", "second", "third", "last"])
  }

  @Test("A delayed job does not run before it is due")
  func delayedJobDoesNotRunEarly() async {
    let begun = ContinuousClock.now
    await Later().start(after: .milliseconds(20)) {}.value
    #expect(begun.duration(to: .now) >= .milliseconds(20))
  }

  @Test("Delayed jobs run even if they arrive after all others have run, with a zero or negative delay too")
  func delayedJobsRunAfterQueueWasEmpty() async {
    let later = Later()
    let delays = [1, 0, -1_000, 1]
    let ran = Lock<[Int]>([])
    for delay in delays {
      await later.start(after: .milliseconds(delay)) { ran.withLock { $0.append(delay) } }.value
    }
    #expect(ran.withLock(\.self) == delays)
  }

  @Test("A job that is practically never due is waited for in steps of one minute")
  func distantJobIsAwaitedMinuteByMinute() {
    #expect(DelayedJobs.pause(until: .now + .seconds(Int64.max / 2)) == .seconds(60))
    #expect(DelayedJobs.pause(until: .now - .seconds(1)) == .zero)
  }

  /// An executor that starts each task with its own delay.
  private final class Later: TaskExecutor {
    private let delay = Lock(Duration.zero)
    private let delayed = DelayedJobs { $0.runSynchronously(on: Lane.shared.asUnownedTaskExecutor()) }

    func start(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
      self.delay.withLock { $0 = delay }
      return Task(executorPreference: self) { body() }
    }

    func enqueue(_ job: consuming ExecutorJob) { delayed.add(UnownedJob(job), after: delay.withLock(\.self)) }
  }

  /// The executor that the jobs see as the one that runs them.
  private final class Lane: TaskExecutor {
    static let shared = Lane()
    func enqueue(_ job: consuming ExecutorJob) { UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
