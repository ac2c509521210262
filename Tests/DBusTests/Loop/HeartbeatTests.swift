import TestBus
import Testing

@testable import DBus

@Suite("Heartbeats and patient jobs of the event loop", .timeLimit(.minutes(5)))
struct HeartbeatTests {
  @Test("A loop's heart beats between the jobs of a long queue, and not while a job runs")
  func heartBeatsBetweenQueuedJobs() async {
    let loop = EventLoop()
    let beats = Record<ContinuousClock.Instant>()
    loop.beat(every: .milliseconds(1)) { beats.append(.now) }
    let counts = Record<(start: Int, end: Int)>()
    // All jobs are queued before the first one runs.
    let gate = Gate()
    loop.post { gate.block() }
    for _ in 0..<100 {
      loop.post {
        let start = beats.values.count
        let end = ContinuousClock.now + .milliseconds(2)
        while ContinuousClock.now < end {}
        counts.append((start, beats.values.count))
      }
    }
    gate.open()
    await loop.drained()
    let all = counts.values
    #expect(all.count == 100)
    #expect(all.allSatisfy { $0.start == $0.end }, "nothing beats while a job runs")
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.end < $1.start }, "it beats behind each of them")
  }

  @Test("A loop's heart beats while idle too, and a second heartbeat replaces the first")
  func heartBeatsWhileIdle() async throws {
    let loop = EventLoop()
    let beats = Record<Int>()
    loop.beat(every: .seconds(3_600)) { beats.append(0) }
    loop.beat(every: .milliseconds(1)) { beats.append(1) }
    try await beats.reaches(3)
    #expect(!beats.values.contains(0))
  }

  @Test("A patient job runs when no other job waits, and eventually even if there are always others")
  func patientJobRunsLast() async throws {
    let loop = EventLoop()
    let order = Record<String>()
    let gate = Gate()
    loop.post { gate.block() }
    loop.postPatiently { order.append("patient") }
    for _ in 0..<10 { loop.post { loop.post { order.append("job") } } }
    gate.open()
    try await order.reaches(11)
    #expect(order.values.last == "patient")

    let isDone = Record<Bool>()
    loop.postPatiently { isDone.append(true) }
    @Sendable func goOn() { if isDone.values.isEmpty { loop.post(goOn) } }
    loop.post(goOn)
    try await isDone.reaches(1)
  }

  @Test("A loop that nothing holds any more runs its patient jobs before it ends")
  func endingLoopRunsPatientJobs() async {
    let done = Record<Bool>()
    var loop: EventLoop? = EventLoop()
    loop?.postPatiently { done.append(true) }
    await loop?.drained()
    let core = loop?.core
    await withCheckedContinuation { continuation in
      core?.whenEnded { continuation.resume() }
      loop = nil
    }
    #expect(done.values == [true])
  }
}
