import FoundationEssentials
import Glibc
import Testing

@testable import Platform

@Suite("Blocking calls on a lane", .timeLimit(.minutes(5)))
struct WorkLaneCallTests {
  @Test("A blocking call runs on a named thread, and returns its result or error")
  func callRunsOnNamedThread() async throws {
    struct Failure: Error {}
    let lane = WorkPool(name: "a-pool").lane()
    #expect(try await lane.call { try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8) } == "a-pool\n")
    await #expect(throws: Failure.self) { try await lane.call { throw Failure() } }
  }

  @Test("Calls never use more threads than the limit of their lane, and use all of these", arguments: [1, 3, 20])
  func callsStayWithinTheLimit(limit: Int) async throws {
    let lane = WorkPool(usual: limit, perLane: 16).lane(threads: limit)
    let running = Lock((now: 0, most: 0))
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...200 {
        group.addTask {
          try await lane.call {
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            gate.block()
            running.withLock { $0.now -= 1 }
          }
        }
      }
      await gate.reached(by: limit)
      gate.open()
      try await group.waitForAll()
    }
    #expect(running.withLock(\.most) == limit)
  }

  @Test("A lane of one thread runs its calls in order")
  func laneOfOneThreadRunsCallsInOrder() async throws {
    let lane = WorkPool().lane(threads: 1)
    let gate = Gate()
    let seen = Lock<[Int]>([])
    async let first: Void = lane.call { gate.block() }
    await gate.reached()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...20 { group.addImmediateTask { try await lane.call { seen.withLock { $0.append(number) } } } }
      gate.open()
      try await group.waitForAll()
    }
    try await first
    #expect(seen.withLock(\.self) == Array(1...20))
  }

  @Test("A cancelled caller is released, and its call is skipped unless it has begun or must run")
  func cancelledCallerIsReleased() async throws {
    let lane = WorkPool().lane(threads: 1)
    let gate = Gate()
    let seen = Lock<[String]>([])
    let begun = Task { try await lane.call { gate.block() } }
    await gate.reached()
    let waiting = Task { try await lane.call { seen.withLock { $0.append("may") } } }
    let needed = Task.immediate { try await lane.call(mustRun: true) { seen.withLock { $0.append("must") } } }
    for task in [begun, waiting, needed] {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    gate.open()
    try await lane.call {}
    #expect(seen.withLock(\.self) == ["must"])
  }

  @Test("A cancelled call releases what it captured at once, although its lane is busy")
  func cancelledCallReleasesItsCaptures() async throws {
    final class Captured: Sendable {
      let end: AsyncStream<Void>.Continuation
      init(_ end: AsyncStream<Void>.Continuation) { self.end = end }
      deinit { end.finish() }
    }
    let lane = WorkPool().lane(threads: 1)
    let gate = Gate()
    async let first: Void = lane.call { gate.block() }
    await gate.reached()
    let (released, end) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task.immediate {
      let captured = Captured(end)
      try await lane.call { withExtendedLifetime(captured) {} }
    }
    waiting.cancel()
    for await _ in released {}
    gate.open()
    try await first
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test("An actor stays free while a call that it made blocks")
  func callingActorStaysFree() async throws {
    actor Caller {
      func block(_ lane: WorkLane, _ gate: Gate) async throws { try await lane.call { gate.block() } }
      func answer() -> Int { 42 }
    }
    let gate = Gate()
    let caller = Caller()
    async let blocked: Void = caller.block(WorkPool().lane(), gate)
    await gate.reached()
    #expect(await caller.answer() == 42)
    gate.open()
    try await blocked
  }
}
