import FoundationEssentials
import Glibc
import Locking
import Testing

@testable import Accounts

@Suite("Worker threads", .timeLimit(.minutes(1)))
struct WorkerThreadsTests {
  @Test("run what blocks on threads of their own, and hand back what comes of it")
  func running() async throws {
    struct Failure: Error {}
    let threads = WorkerThreads(name: "a-thread", limit: 2)
    let name = try await threads.run { try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) }
    #expect(name == "a-thread\n")
    await #expect(throws: Failure.self) { try await threads.run { throw Failure() } }
  }

  @Test("are never more than their limit, and end when there is nothing to do")
  func limit() async throws {
    let threads = WorkerThreads(name: "test", limit: 3)
    let running = Lock((now: 0, most: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...200 {
        group.addTask {
          try await threads.run {
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            sched_yield()
            running.withLock { $0.now -= 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect((1...3).contains(running.withLock(\.most)))
    while threads.count > 0 { await Task.yield() }
  }

  @Test("run in order where there is one")
  func order() async throws {
    let threads = WorkerThreads(name: "test", limit: 1)
    let gate = Gate()
    let seen = Lock<[Int]>([])
    async let first: Void = threads.run { gate.pass() }
    try await gate.reached.value()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...20 { group.addImmediateTask { try await threads.run { seen.withLock { $0.append(number) } } } }
      gate.open()
      try await group.waitForAll()
    }
    try await first
    #expect(seen.withLock(\.self) == Array(1...20))
  }

  @Test("let go of a caller who is cancelled, and skip what has not begun, unless it must run")
  func cancelling() async throws {
    let threads = WorkerThreads(name: "test", limit: 1)
    let gate = Gate()
    let seen = Lock<[String]>([])
    let begun = Task { try await threads.run { gate.pass() } }
    try await gate.reached.value()
    let waiting = Task { try await threads.run { seen.withLock { $0.append("may") } } }
    let needed = Task.immediate { try await threads.run(mustRun: true) { seen.withLock { $0.append("must") } } }
    for task in [begun, waiting, needed] {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    gate.open()
    try await threads.run {}
    #expect(seen.withLock(\.self) == ["must"])
  }
}
