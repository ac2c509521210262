import Testing

@testable import CoordinatorDaemon

@Suite("Status update pace", .timeLimit(.minutes(5)))
struct StatusPaceTests {
  @Test(
    "A first status change is sent at once, and further changes within a second are sent together after it")
  func statusChangesAreSentOncePerSecond() {
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
