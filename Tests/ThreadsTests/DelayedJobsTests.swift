import Locking
import Testing

@testable import Threads

@Suite("Delayed jobs", .timeLimit(.minutes(1)))
struct DelayedJobsTests {
  @Test("run in the order in which they are due, those due at the same time in the order in which they came")
  func order() async {
    let later = Later()
    let names = Lock<[String]>([])
    let tasks = [("last", 60), ("first", 5), ("second", 20), ("third", 20)].map { name, delay in
      later.start(after: .milliseconds(delay)) { names.withLock { $0.append(name) } }
    }
    for task in tasks { await task.value }
    #expect(names.withLock(\.self) == ["first", "second", "third", "last"])
  }

  @Test("are not run before they are due")
  func notBefore() async {
    let begun = ContinuousClock.now
    await Later().start(after: .milliseconds(20)) {}.value
    #expect(begun.duration(to: .now) >= .milliseconds(20))
  }

  @Test("run when they come after all others have run, also with no delay or less")
  func anew() async {
    let later = Later()
    for delay in [1, 0, -1_000, 1] { await later.start(after: .milliseconds(delay)) {}.value }
  }

  @Test("that are never due are waited for a minute at a time")
  func never() {
    #expect(DelayedJobs.pause(until: .now + .seconds(Int64.max / 2)) == .seconds(60))
    #expect(DelayedJobs.pause(until: .now - .seconds(1)) == .zero)
  }

  /// Starts each task with a delay of its own.
  private final class Later: TaskExecutor {
    private let delay = Lock(Duration.zero)
    private let delayed = DelayedJobs { $0.runSynchronously(on: Lane.shared.asUnownedTaskExecutor()) }

    func start(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
      self.delay.withLock { $0 = delay }
      return Task(executorPreference: self) { body() }
    }

    func enqueue(_ job: consuming ExecutorJob) { delayed.add(UnownedJob(job), after: delay.withLock(\.self)) }
  }

  /// What the jobs are told that they run on.
  private final class Lane: TaskExecutor {
    static let shared = Lane()
    func enqueue(_ job: consuming ExecutorJob) { UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
