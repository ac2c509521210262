import Platform
import Testing

@testable import CoordinatorDaemon

@Suite("The alarm of all deadlines", .timeLimit(.minutes(5)))
struct DeadlineAlarmTests {
  private final class Recorder: Alarm {
    let times = Lock<[UInt64?]>([])
    func set(_ time: UInt64?) { times.withLock { $0.append(time) } }
  }

  private let recorder = Recorder()
  private let box = Box(DeadlineAlarm<String>())

  init() { box.value.use(recorder) }

  private var times: [UInt64?] { recorder.times.withLock(\.self) }

  @Test("The alarm is set to the earliest deadline, and only when that changes")
  func alarmFollowsTheEarliestDeadline() {
    box.value.set("b", at: 20)
    box.value.set("c", at: 30)
    box.value.set("a", at: 10)
    box.value.remove("c")
    #expect(times == [20, 10])
    box.value.remove("a")
    box.value.remove("b")
    #expect(times == [20, 10, 20, nil])
  }

  @Test("When it goes off, all that is due is handed out, and the alarm is set to what is left")
  func dueFlowsAreHandedOut() {
    for (name, time) in [("b", UInt64(20)), ("a", 10), ("c", 30)] { box.value.set(name, at: time) }
    #expect(box.value.hasGoneOff(at: 20) == ["a", "b"])
    #expect(times.last == 30)
  }

  @Test("If the clock was set back, nothing is due, and the alarm is set to the same time again")
  func earlyAlarmIsSetAgain() {
    box.value.set("a", at: 10)
    #expect(box.value.hasGoneOff(at: 5) == [])
    #expect(times == [10, 10])
  }
}
