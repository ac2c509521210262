import TestBus
import Testing

@testable import DBus

@Suite("Event loop timers", .timeLimit(.minutes(5)))
struct TimerTests {
  let loop = EventLoop()

  @Test("Timers fire once each, in time order and then in insertion order, and never early")
  func timersFireOnceInOrder() async {
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

  @Test("A cancelled timer does not fire, and its body is released at once")
  func cancelledTimerDoesNotFire() async {
    let record = Record<Int>()
    let timer = loop.schedule(after: .milliseconds(5)) { record.append(1) }
    timer.cancel()
    timer.cancel()
    await loop.passed(.milliseconds(10))
    #expect(record.values.isEmpty)
    #expect(timer.takeBody() == nil)
  }

  @Test("A due timer that an earlier job cancelled does not fire")
  func dueTimerCancelledByJobDoesNotFire() async {
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

  @Test("A timer that waits for long stays unchanged, however often its state is read")
  func waitingTimerIsNotWrapped() {
    let timer = loop.schedule(after: .seconds(1_000)) {}
    for _ in 0..<300_000 where timer.isCancelled { Issue.record("It was not cancelled.") }
    // If each read had wrapped the body once more, releasing it would overflow the stack.
    timer.cancel()
    #expect(timer.isCancelled)
  }

  @Test("Ten thousand deadlines that are set and cancelled leave nothing behind")
  func cancelledDeadlinesLeaveNothing() async {
    for _ in 0..<10_000 { loop.schedule(after: .seconds(25)) {}.cancel() }
    #expect(loop.core.state.withLock { $0.timers.count } < 200)
    await loop.passed(.milliseconds(1))
  }

  @Test("Durations beyond the clock's range are clamped")
  func outOfRangeDurationsAreClamped() {
    #expect(Duration.seconds(-1).nanoseconds == 0)
    #expect(Duration.seconds(Int64.max).nanoseconds == UInt64(Int64.max))
    #expect(Duration.milliseconds(1.5).nanoseconds == 1_500_000)
    #expect(Monotonic.after(.seconds(Int64.max)) >= UInt64(Int64.max))
  }
}
