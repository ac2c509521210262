import Testing

@testable import DBus

@Suite("Timers of the event loop")
struct TimerTests {
  let loop = EventLoop()

  @Test("Timers fire once each, by time and then in the order in which they were set, and never early")
  func order() async {
    let record = Record<Int>()
    let started = ContinuousClock.now
    loop.schedule(after: .milliseconds(30)) { record.append(3) }
    loop.schedule(after: .milliseconds(10)) { record.append(1) }
    loop.schedule(after: .milliseconds(10)) { record.append(2) }
    loop.schedule(after: .seconds(-1)) { record.append(0) }
    await loop.passed(.milliseconds(30))
    #expect(record.values == [0, 1, 2, 3])
    #expect(ContinuousClock.now - started >= .milliseconds(30))
  }

  @Test("A cancelled timer does not fire and its body is released at once")
  func cancel() async {
    let record = Record<Int>()
    let timer = loop.schedule(after: .milliseconds(5)) { record.append(1) }
    timer.cancel()
    timer.cancel()
    await loop.passed(.milliseconds(10))
    #expect(record.values.isEmpty)
    #expect(timer.takeBody() == nil)
  }

  @Test("A timer that is due but was cancelled by a job before it does not fire")
  func cancelWhenDue() async {
    let record = Record<Int>()
    await withCheckedContinuation { continuation in
      loop.post { [loop] in
        let second = Record<ScheduledTimer>()
        loop.schedule(after: .zero) { second.values.first?.cancel() }
        second.append(loop.schedule(after: .zero) { record.append(1) })
        loop.schedule(after: .milliseconds(1)) { continuation.resume() }
      }
    }
    #expect(record.values.isEmpty)
  }

  @Test("A timer that waits for long stays as it was, however often the loop looks at it")
  func waiting() {
    let timer = loop.schedule(after: .seconds(1_000)) {}
    for _ in 0..<300_000 where timer.isCancelled { Issue.record("It was not cancelled.") }
    // If each look had wrapped the body once more, there would not be stack enough to release it.
    timer.cancel()
    #expect(timer.isCancelled)
  }

  @Test("Ten thousand deadlines that are set and cancelled leave nothing behind")
  func compaction() async {
    for _ in 0..<10_000 { loop.schedule(after: .seconds(25)) {}.cancel() }
    #expect(loop.core.state.withLock { $0.timers.count } < 200)
    await loop.passed(.milliseconds(1))
  }

  @Test("Durations beyond the clock's range are clamped")
  func clamping() {
    #expect(Duration.seconds(-1).nanoseconds == 0)
    #expect(Duration.seconds(Int64.max).nanoseconds == UInt64(Int64.max))
    #expect(Duration.milliseconds(1.5).nanoseconds == 1_500_000)
    #expect(Monotonic.after(.seconds(Int64.max)) >= UInt64(Int64.max))
  }
}
