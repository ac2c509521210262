import Testing

@testable import RendererKit

@Suite("A kiosk", .timeLimit(.minutes(1)))
struct KioskPolicyTests {
  private let policy = KioskPolicy(isLocked: true, restartTime: nil, idleTime: .seconds(300))

  @Test("Users are warned in time, and a flow that no user has touched is left alone")
  func idleness() {
    #expect(policy.step(idleFor: .seconds(0), isTouched: true) == .wait(.seconds(270)))
    #expect(policy.step(idleFor: .seconds(269), isTouched: true) == .wait(.seconds(1)))
    #expect(policy.step(idleFor: .seconds(270), isTouched: true) == .warn(left: .seconds(30)))
    #expect(policy.step(idleFor: .seconds(299), isTouched: true) == .warn(left: .seconds(1)))
    #expect(policy.step(idleFor: .seconds(300), isTouched: true) == .reset)
    #expect(policy.step(idleFor: .seconds(9_000), isTouched: true) == .reset)
    #expect(policy.step(idleFor: .seconds(9_000), isTouched: false) == .wait(nil))
    #expect(KioskPolicy.none.step(idleFor: .seconds(9_000), isTouched: true) == .wait(nil))
  }

  @Test("A short time is divided between waiting and warning")
  func shortTime() {
    let short = KioskPolicy(isLocked: false, restartTime: nil, idleTime: .seconds(4))
    #expect(short.step(idleFor: .seconds(1), isTouched: true) == .wait(.seconds(1)))
    #expect(short.step(idleFor: .seconds(2), isTouched: true) == .warn(left: .seconds(2)))
  }

  @Test(
    "A time that runs down is rounded up, and looks like a clock",
    arguments: [
      (Duration.seconds(-3), "0:00"), (.zero, "0:00"), (.milliseconds(1), "0:01"), (.seconds(25), "0:25"), (.seconds(60), "1:00"),
      (.seconds(3_605), "60:05"),
    ])
  func clock(time: Duration, text: String) {
    #expect(ClockTime(time).description == text)
  }
}
