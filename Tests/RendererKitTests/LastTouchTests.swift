import RendererKit
import Testing

@Suite("The last touch of a device", .timeLimit(.minutes(1)))
struct LastTouchTests {
  private let start = ContinuousClock.now
  private let wall = 1_800_000_000.0

  @Test("The time since the last input counts from its stamp")
  func countsFromStamp() {
    var touch = LastTouch(stamp: wall - 5, at: start)
    #expect(touch.idleTime(stamp: wall - 5, wall: wall + 60, at: start + .seconds(60)) == .seconds(60))
    #expect(!touch.isTouched)
    #expect(touch.idleTime(stamp: wall + 90, wall: wall + 100, at: start + .seconds(100)) == .seconds(10))
    #expect(touch.isTouched)
    #expect(touch.idleTime(stamp: wall + 90, wall: wall + 130, at: start + .seconds(130)) == .seconds(40))
  }

  @Test(
    "Setting the clock, back or forth, makes no user idle for longer",
    arguments: [-31_536_000.0, -60, 60, 31_536_000])
  func clockIsSet(change: Double) {
    var touch = LastTouch(stamp: wall - 5, at: start)
    #expect(touch.idleTime(stamp: wall + 9, wall: wall + 10, at: start + .seconds(10)) == .seconds(1))
    #expect(touch.idleTime(stamp: wall + 9, wall: wall + change + 20, at: start + .seconds(20)) == .seconds(11))
    // Another input, stamped before the clock was set, or after.
    #expect(touch.idleTime(stamp: wall + 21, wall: wall + change + 30, at: start + .seconds(30)) <= .seconds(10))
    #expect(touch.idleTime(stamp: wall + change + 35, wall: wall + change + 40, at: start + .seconds(40)) == .seconds(5))
  }
}
