import FoundationEssentials
import Glibc
import Platform
import TestBus
import Testing

@testable import Accounts

@Suite("Worker threads", .timeLimit(.minutes(1)))
struct WorkerThreadsTests {
  @Test("Blocking work runs on named threads, and returns its result or error")
  func blockingWorkRunsOnNamedThreads() async throws {
    struct Failure: Error {}
    let threads = WorkerThreads(name: "a-thread", limit: 2)
    let name = try await threads.run { try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) }
    #expect(name == "a-thread\n")
    await #expect(throws: Failure.self) { try await threads.run { throw Failure() } }
  }

  @Test("The threads never exceed their limit, and end when they are idle")
  func threadsStayWithinTheirLimit() async throws {
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
    try await poll { threads.count == 0 }
  }

  @Test("A single thread runs its work in order")
  func oneThreadRunsWorkInOrder() async throws {
    let threads = WorkerThreads(name: "test", limit: 1)
    let gate = Gate()
    let seen = Lock<[Int]>([])
    async let first: Void = threads.run { gate.block() }
    try await gate.reached()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...20 { group.addImmediateTask { try await threads.run { seen.withLock { $0.append(number) } } } }
      gate.open()
      try await group.waitForAll()
    }
    try await first
    #expect(seen.withLock(\.self) == Array(1...20))
  }

  @Test("A cancelled caller is released, and its work is skipped unless it has begun or must run")
  func cancelledCallerIsReleased() async throws {
    let threads = WorkerThreads(name: "test", limit: 1)
    let gate = Gate()
    let seen = Lock<[String]>([])
    let begun = Task { try await threads.run { gate.block() } }
    try await gate.reached()
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
