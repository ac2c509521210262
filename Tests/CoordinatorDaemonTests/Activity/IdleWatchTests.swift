import Testing

@testable import CoordinatorDaemon

@Suite("The watch for idleness", .timeLimit(.minutes(5)))
struct IdleWatchTests {
  @Test("A daemon that has had no flow and no call for the whole time is idle")
  func quietDaemonIsIdle() {
    let box = Box(IdleWatch(time: .seconds(30)))
    #expect(box.value.update(hasFlows: false) == .wait(.seconds(30)))
    #expect(box.value.update(hasFlows: false) == .nothing)
    #expect(box.value.timeIsUp(isIdle: true) == .isIdle)
  }

  @Test("A call, or an answer that is still owed, begins the time anew")
  func callBeginsTimeAnew() {
    let box = Box(IdleWatch(time: .seconds(30)))
    _ = box.value.update(hasFlows: false)
    box.value.called()
    #expect(box.value.timeIsUp(isIdle: true) == .wait(.seconds(30)))
    #expect(box.value.timeIsUp(isIdle: false) == .wait(.seconds(30)))
    #expect(box.value.timeIsUp(isIdle: true) == .isIdle)
  }

  @Test("A flow stops the time, and the end of the last one begins it")
  func flowStopsTime() {
    let box = Box(IdleWatch(time: .seconds(30)))
    #expect(box.value.update(hasFlows: true) == .nothing)
    _ = box.value.update(hasFlows: false)
    #expect(box.value.update(hasFlows: true) == .stopWaiting)
    #expect(box.value.timeIsUp(isIdle: true) == .nothing)
    #expect(box.value.update(hasFlows: false) == .wait(.seconds(30)))
  }

  @Test("Another time begins at once, and none ends the wait")
  func otherTimeBeginsAtOnce() {
    let box = Box(IdleWatch(time: nil))
    #expect(box.value.update(hasFlows: false) == .nothing)
    #expect(box.value.change(to: .seconds(5), hasFlows: false) == .wait(.seconds(5)))
    #expect(box.value.change(to: .seconds(9), hasFlows: false) == .wait(.seconds(9)))
    #expect(box.value.change(to: nil, hasFlows: false) == .stopWaiting)
    #expect(box.value.change(to: .seconds(9), hasFlows: true) == .nothing)
  }
}
