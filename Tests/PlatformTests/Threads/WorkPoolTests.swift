import FoundationEssentials
import TestBus
import Testing

@testable import Platform

@Suite("Work pools", .timeLimit(.minutes(5)))
struct WorkPoolTests {
  @Test("Blocked work leaves threads for other lanes, and up to a limit for its own lane")
  func blockedWorkLeavesThreadsForOthers() async {
    let pool = WorkPool(perLane: 6, patience: .milliseconds(10))
    let gate = Gate()
    let lane = pool.lane()
    let stuck = (0..<20).map { _ in Task(executorPreference: lane) { gate.block() } }
    await Task(executorPreference: pool.lane()) {}.value
    let cancelled = Task(executorPreference: lane) {}
    gate.open()
    for task in stuck { await task.value }
    await cancelled.value
    #expect(pool.threads <= 6 + 4 + 1)
  }

  @Test("A task stays in its lane across actors and child tasks, and its thread has a name")
  func taskStaysInItsLane() async {
    actor DefaultActor { var name: String { threadName() } }
    let pool = WorkPool()
    let names = await Task(executorPreference: pool.lane()) {
      async let child = Task.yield()
      await child
      return [threadName(), await DefaultActor().name]
    }.value
    #expect(names == ["work\n", "work\n"])
  }

  @Test("A thread that was stuck runs at a lower priority, and the other threads keep theirs")
  func stuckThreadRunsAtLowerPriority() async {
    let pool = WorkPool(patience: .milliseconds(10))
    let gate = Gate()
    let own = Thread.nice(of: Thread.current)
    let stuck = (0..<64).map { _ in
      Task(executorPreference: pool.lane()) {
        gate.block()
        return Thread.nice(of: Thread.current)
      }
    }
    #expect(await Task(executorPreference: pool.lane()) { Thread.nice(of: Thread.current) }.value == own)
    gate.open()
    var values: Set<Int32> = []
    for task in stuck { values.insert(await task.value) }
    #expect(values.contains(max(own, 10)))
  }

  @Test("Threads of a work pool end after being idle, and new ones are started for further work")
  func idleThreadsEnd() async throws {
    let pool = WorkPool(idleTime: .milliseconds(1))
    for _ in 1...50 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 1...8 { group.addTask(executorPreference: pool.lane()) { await Task.yield() } }
      }
    }
    try await poll { pool.threads == 0 }
    #expect(await Task(executorPreference: pool.lane()) { threadName() }.value == "work\n")
  }
}

private func threadName() -> String { (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "" }
