import Testing

@testable import CoordinatorDaemon

@Suite("The pace of the status")
struct StatusPaceTests {
  @Test(
    "a first change is told at once, those within a second of it together when the second is over, and one after that at once")
  func pace() {
    let start = ContinuousClock.now
    var pace = StatusPace()
    #expect(pace.change(at: start) == .zero)
    pace.hasTold(at: start)
    #expect(pace.change(at: start + .milliseconds(300)) == .milliseconds(700))
    #expect(pace.change(at: start + .milliseconds(400)) == nil)
    pace.hasTold(at: start + .seconds(1))
    #expect(pace.change(at: start + .seconds(9)) == .zero)
  }
}
