import Glibc
import TestBus
import Testing
import Platform

@testable import DBus

@Suite("Takeover of the loop from a stuck task job", .timeLimit(.minutes(5)))
struct TakeOverTests {
  @Test("A task job that does not return delays the others by 100 ms, and its thread ends when it returns")
  func stuckTaskJobLosesTheLoop() async throws {
    let takenOver = Record<Bool>()
    let loop = EventLoop(onTakeOver: { takenOver.append(true) })
    let gate = Gate()
    let queued = ContinuousClock.now
    let times = Record<ContinuousClock.Instant>()
    let stuck = Task(executorPreference: loop.taskExecutor) {
      times.append(.now)
      gate.block()
      return UInt(pthread_self())
    }
    loop.post { times.append(.now) }
    let thread = await loop.serialThread()
    #expect(times.values[1] - queued >= .milliseconds(100))
    // The job itself returns only later.
    #expect(takenOver.values == [true])
    // Later jobs do not wait at all: the new thread keeps the loop.
    let actor = LoopActor(loop: loop)
    #expect(await actor.thread == thread)
    #expect(await Task(executorPreference: loop.taskExecutor) { UInt(pthread_self()) }.value == thread)
    gate.open()
    #expect(await stuck.value != thread)
    // The loop's thread and a new watchdog.
    try await loop.threads(are: 2)
    #expect(loop.statistics.takeOvers == 1)
  }

  @Test("Several jobs that are stuck at once each lose the loop in turn")
  func severalStuckJobsLoseTheLoop() async throws {
    let loop = EventLoop(takeOverAfter: .milliseconds(10))
    let gate = Gate()
    let stuck = (0..<4).map { _ in Task(executorPreference: loop.taskExecutor) { gate.block() } }
    await loop.drained()
    #expect(loop.statistics.takeOvers == 4)
    gate.open()
    for task in stuck { await task.value }
    await Task(executorPreference: loop.taskExecutor) {}.value
    try await loop.threads(are: 2)
  }

  @Test("A thread that lost the loop runs at a lower priority, and the loop keeps its own")
  func overtakenThreadRunsAtLowerPriority() async {
    let loop = EventLoop()
    let gate = Gate()
    let own = await Task(executorPreference: loop.taskExecutor) { Thread.nice(of: Thread.current) }.value
    let stuck = Task(executorPreference: loop.taskExecutor) {
      gate.block()
      return Thread.nice(of: Thread.current)
    }
    await loop.drained()
    #expect(await Task(executorPreference: loop.taskExecutor) { Thread.nice(of: Thread.current) }.value == own)
    gate.open()
    #expect(await stuck.value == max(own, 10))
  }

  @Test("A serial job never loses the loop")
  func serialJobIsNeverOvertaken() async {
    let loop = EventLoop(takeOverAfter: .milliseconds(10))
    let clock = EventLoop()
    let gate = Gate()
    let record = Record<Int>()
    await Task(executorPreference: loop.taskExecutor) {}.value
    loop.post {
      gate.block()
      record.append(1)
    }
    loop.post { record.append(2) }
    await clock.passed(.milliseconds(100))
    #expect(record.values.isEmpty)
    gate.open()
    await loop.drained()
    #expect(record.values == [1, 2])
    #expect(loop.statistics.takeOvers == 0)
  }

  @Test("A busy loop arms the watchdog once per period, however many jobs it runs")
  func busyLoopArmsWatchdogOncePerPeriod() async {
    let loop = EventLoop()
    let started = ContinuousClock.now
    await Task(executorPreference: loop.taskExecutor) {
      while ContinuousClock.now - started < .milliseconds(350) { await Task.yield() }
    }.value
    let periods = UInt64((ContinuousClock.now - started) / .milliseconds(100)) + 2
    #expect(loop.statistics.jobs > 100)
    #expect(loop.statistics.watchdogArms <= periods * 2)
  }

  @Test("A loop that is released while a job is stuck ends when the job returns")
  func releasedLoopEndsWhenStuckJobReturns() async {
    let gate = Gate()
    var loop: EventLoop? = EventLoop(takeOverAfter: .milliseconds(10))
    let core = loop?.core
    let stuck = Task(executorPreference: loop?.taskExecutor) { gate.block() }
    await loop?.drained()
    await withCheckedContinuation { continuation in
      core?.whenEnded { continuation.resume() }
      loop = nil
      gate.open()
    }
    await stuck.value
    #expect(core?.statistics.threads == 0)
  }
}

extension EventLoop {
  /// Returns once the loop has the expected number of threads: a thread ends a moment after the job that held it.
  fileprivate func threads(are expected: Int) async throws {
    try await poll { statistics.threads == expected }
  }
}
