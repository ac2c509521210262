import CoordinatorKit
import Testing

@testable import RendererKit

@Suite("Countdowns", .timeLimit(.minutes(5)))
struct CountdownTests {
  private func countdown(_ microseconds: UInt64) -> Countdown {
    Countdown(to: Timestamp(microseconds: 5_000_000 + microseconds), from: Timestamp(microseconds: 5_000_000))
  }

  @Test(
    "A countdown names the remaining time in at most two units, with started seconds as whole ones",
    arguments: [
      (0, "now"), (1, "in 1 s"), (1_000_000, "in 1 s"), (11_000_001, "in 12 s"), (59_000_000, "in 59 s"),
      (60_000_000, "in 1 min"), (65_000_000, "in 1 min 5 s"), (3_600_000_000, "in 1 h"), (7_530_000_000, "in 2 h 5 min"),
      (90_000_000_000, "in 1 d 1 h"),
    ] as [(UInt64, String)])
  func countdownNamesTheRemainingTime(microseconds: UInt64, words: String) {
    #expect(countdown(microseconds).sentence == "Continues by itself \(words)")
  }

  @Test("A countdown that has ended, however long ago, changes no more, and any other does when its second has passed")
  func countdownChangesOnceASecond() {
    #expect(countdown(0).nextChange == nil)
    #expect(Countdown(to: Timestamp(microseconds: 1), from: Timestamp(microseconds: 9)).nextChange == nil)
    #expect(countdown(2_000_000).nextChange == 1000)
    #expect(countdown(2_000_001).nextChange == 1)
    #expect(countdown(1_500_000).nextChange == 500)
  }

  @Test("A screen counts a duration down by the monotonic clock, and to a time by the wall clock")
  func screensCountDown() throws {
    let now = Timestamp(microseconds: 5_000_000)
    var screen = Screen.message("wait", title: "Wait")
    #expect(Countdown(of: screen, at: now, elapsed: 1_000_000) == nil)
    screen.until = Timestamp(microseconds: 7_000_000)
    #expect(Countdown(of: screen, at: now, elapsed: 1_000_000)?.microseconds == 2_000_000)
    screen.elapses = 31_000_000
    for wall in [0, 5_000_000, 9_000_000] as [UInt64] {
      #expect(Countdown(of: screen, at: Timestamp(microseconds: wall), elapsed: 1_000_000)?.microseconds == 30_000_000)
    }
    let machine = try #require(Countdown(of: screen, at: now))
    #expect(machine.microseconds <= 31_000_000)
  }

  @Test("A countdown to the last time there is can be named")
  func farthestTimeCanBeNamed() {
    let countdown = Countdown(to: Timestamp(microseconds: .max), from: Timestamp(microseconds: 0))
    #expect(countdown.sentence == "Continues by itself in 213503982 d 8 h")
  }
}
