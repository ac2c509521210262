@testable import DBus
import Glibc
import TestBus
import Testing

@Suite("The event loop", .timeLimit(.minutes(5)))
struct EventLoopTests {
  let loop = EventLoop()

  @Test("Jobs run in the order in which they arrive, whatever their kind")
  func jobsRunInArrivalOrder() async {
    let record = Record<Int>()
    for number in 0..<1000 {
      if number.isMultiple(of: 2) {
        loop.post { record.append(number) }
      } else {
        Task(executorPreference: loop.taskExecutor) { record.append(number) }
      }
    }
    await loop.drained()
    #expect(record.values == Array(0..<1000))
  }

  @Test("A job that another job enqueues runs after the jobs that are already waiting")
  func nestedJobRunsAfterWaitingJobs() async {
    let record = Record<String>()
    loop.post { [loop] in
      loop.post { [loop] in
        loop.post { record.append("nested") }
        record.append("outer")
      }
      loop.post { record.append("second") }
    }
    for _ in 0..<3 { await loop.drained() }
    #expect(record.values == ["outer", "second", "nested"])
  }

  @Test("What is left until the loop polls runs after the jobs that are queued, and those that they enqueue")
  func deferredRunsAfterJobs() async {
    let record = Record<String>()
    loop.post { [loop] in
      loop.core.runBeforePolling { record.append("deferred, serial: \(loop.isInSerialJob)") }
      Task(executorPreference: loop.taskExecutor) { record.append("task") }
      loop.post { [loop] in
        loop.post { record.append("nested") }
        record.append("second")
      }
    }
    for _ in 0..<4 { await loop.passed(.zero) }
    #expect(record.values == ["task", "second", "nested", "deferred, serial: true"])
  }

  @Test("What has waited for half a millisecond comes before a handler, which may take long")
  func deferredComesBeforeTask() async {
    let record = Record<String>()
    loop.post { [loop] in
      loop.core.runBeforePolling { record.append("deferred") }
      Task(executorPreference: loop.taskExecutor) { record.append("task") }
      let begin = Monotonic.now()
      while Monotonic.now() < begin + 600_000 {}
    }
    for _ in 0..<4 { await loop.passed(.zero) }
    #expect(record.values == ["deferred", "task"])
  }

  @Test("An actor on the serial executor runs on the loop's thread and takes calls in order")
  func serialActorRunsOnLoopThread() async {
    let actor = LoopActor(loop: loop)
    for number in 0..<100 { await actor.append(number) }
    #expect(await actor.numbers == Array(0..<100))
    #expect(await actor.thread == loop.serialThread())
  }

  @Test("`assumeIsolated` succeeds in serial jobs and timers, and task jobs are not serial")
  func assumeIsolatedHoldsInSerialJobs() async {
    let actor = LoopActor(loop: loop)
    #expect(!loop.isInSerialJob)
    await withCheckedContinuation { continuation in
      loop.post { [loop] in
        actor.assumeIsolated { $0.append(1) }
        loop.schedule(after: .zero) {
          actor.assumeIsolated { $0.append(2) }
          continuation.resume()
        }
      }
    }
    let inTask = await Task(executorPreference: loop.taskExecutor) { [loop] in loop.isInSerialJob }.value
    #expect(!inTask)
    #expect(await actor.numbers == [1, 2])
  }

  @Test("A task that prefers the loop stays on its thread, even in actors, child tasks, and nonisolated functions")
  func preferringTaskStaysOnLoopThread() async {
    let thread = await loop.serialThread()
    let threads = await Task(executorPreference: loop.taskExecutor) {
      async let child = currentThread()
      let actor = DefaultActor()
      return [UInt(pthread_self()), await currentThread(), await actor.thread, await child]
    }.value
    #expect(threads == [thread, thread, thread, thread])
  }

  @Test("Work started with `globalConcurrentExecutor` leaves the loop's thread")
  func globalExecutorLeavesLoopThread() async {
    let thread = await loop.serialThread()
    let elsewhere = await Task(executorPreference: loop.taskExecutor) {
      await Task(executorPreference: globalConcurrentExecutor) { UInt(pthread_self()) }.value
    }.value
    #expect(elsewhere != thread)
  }

  @Test("Enqueueing from many threads loses no wake-up")
  func concurrentEnqueueLosesNoWakeUp() async {
    let actor = LoopActor(loop: loop)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask { for step in 0..<100 { await actor.append(number * 100 + step) } }
      }
    }
    #expect(await actor.numbers.count == 6400)
  }

  @Test("An idle loop does not wake up")
  func idleLoopDoesNotWakeUp() async throws {
    let clock = EventLoop()
    await Task(executorPreference: loop.taskExecutor) {}.value
    // The watchdog fires once more after the last task job, however late on a busy machine. A loop that kept waking up would do
    // so at least every 100 ms.
    try await poll {
      let before = loop.statistics
      await clock.passed(.milliseconds(300))
      return loop.statistics == before
    }
  }

  @Test("The loop's threads end when nothing holds it any more, and queued jobs still run")
  func unheldLoopEndsItsThreads() async {
    let record = Record<Int>()
    var loop: EventLoop? = EventLoop()
    let core = loop?.core
    await withCheckedContinuation { continuation in
      core?.whenEnded { continuation.resume() }
      Task(executorPreference: loop?.taskExecutor) { record.append(1) }
      loop?.schedule(after: .seconds(1000)) { record.append(2) }
      loop?.post { record.append(3) }
      loop = nil
    }
    #expect(record.values == [1, 3])
    #expect(core?.statistics.threads == 0)
  }
}

@concurrent private func currentThread() async -> UInt { UInt(pthread_self()) }

private actor DefaultActor {
  var thread: UInt { UInt(pthread_self()) }
}
