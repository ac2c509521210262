import Locking
import Testing

@testable import Threads

@Suite("A serial thread", .timeLimit(.minutes(1)))
struct SerialThreadTests {
  private actor Counter {
    nonisolated let thread: SerialThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private(set) var count = 0

    init(_ thread: SerialThread) { self.thread = thread }

    func add() { count += 1 }
  }

  @Test("runs blocks in the order in which they came, and the jobs of an actor among them, isolated to it")
  func order() async {
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

  @Test("ends its thread when there is nothing to do, and begins another one with the next job, however close they come")
  func idle() async {
    let counter = Counter(SerialThread(name: "test", idleTime: .microseconds(1)))
    for _ in 0..<2_000 { await counter.add() }
    #expect(await counter.count == 2_000)
  }

  @Test("isolates nobody elsewhere")
  func elsewhere() { #expect(SerialThread(name: "test").isIsolatingCurrentContext() == false) }
}
