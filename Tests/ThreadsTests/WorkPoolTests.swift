import FoundationEssentials
import Glibc
import Locking
import Testing

@testable import Threads

@Suite("A work pool", .timeLimit(.minutes(1)))
struct WorkPoolTests {
  @Test("work that blocks leaves threads for that of other lanes, and for its own up to a limit")
  func blocked() async {
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

  @Test("a task stays in its lane, also in actors and child tasks, and its thread has a name")
  func inheritance() async {
    actor Somebody { var name: String { threadName() } }
    let pool = WorkPool()
    let names = await Task(executorPreference: pool.lane()) {
      async let child = Task.yield()
      await child
      return [threadName(), await Somebody().name]
    }.value
    #expect(names == ["work\n", "work\n"])
  }

  @Test("a thread that was stuck runs at a lower priority, and others at their own")
  func priority() async {
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

  @Test("threads end when there has been nothing to do")
  func idle() async {
    let pool = WorkPool(idleTime: .milliseconds(1))
    for _ in 1...50 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 1...8 { group.addTask(executorPreference: pool.lane()) { await Task.yield() } }
      }
    }
    while pool.threads > 0 { await Task.yield() }
    await Task(executorPreference: pool.lane()) {}.value
  }
}

private func threadName() -> String { (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "" }

/// Blocks threads until somebody opens it.
private final class Gate: Sendable {
  private let isOpen = Lock(false)

  func open() { isOpen.withLock { $0 = true } }

  func block() {
    while !isOpen.withLock(\.self) { sched_yield() }
  }
}
