import Platform
import Testing

@testable import Platform

@Suite("Serial threads", .timeLimit(.minutes(5)))
struct SerialThreadTests {
  private actor Counter {
    nonisolated let thread: SerialThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private(set) var count = 0

    init(_ thread: SerialThread) { self.thread = thread }

    func add() { count += 1 }
  }

  @Test("A serial thread runs blocks in order, together with an actor's jobs and isolated to that actor")
  func blocksAndActorJobsRunInOrder() async {
    let counter = Counter(SerialThread(name: "test"))
    let seen = Lock<[Int]>([])
    for number in 0..<1_000 {
      counter.thread.post {
        seen.withLock { $0.append(number) }
        counter.assumeIsolated { $0.add() }
      }
    }
    await counter.add()
    #expect(await counter.count == 1_001)
    #expect(seen.withLock(\.self) == Array(0..<1_000))
  }

  @Test("A serial thread ends when idle and restarts for the next job, however closely jobs follow each other")
  func idleThreadEndsAndRestarts() async {
    let counter = Counter(SerialThread(name: "test", idleTime: .microseconds(1)))
    for _ in 0..<2_000 { await counter.add() }
    #expect(await counter.count == 2_000)
  }

  @Test("A serial thread does not claim to isolate code on another thread")
  func otherThreadsAreNotIsolated() { #expect(SerialThread(name: "test").isIsolatingCurrentContext() == false) }
}
