import Testing

@testable import CoordinatorDaemon

@Suite("Flow deadlines", .timeLimit(.minutes(5)))
struct DeadlineQueueTests {
  @Test("Flow deadlines come due in time order, and in insertion order if their times are equal")
  func deadlinesComeDueInTimeOrder() {
    var deadlines = DeadlineQueue<String>()
    #expect(deadlines.next == nil)
    for (name, time) in [("late", 30), ("first", 10), ("second", 10), ("middle", 20)] as [(String, UInt64)] {
      deadlines.set(name, at: time)
    }
    #expect(deadlines.next == 10)
    #expect(deadlines.takeDue(at: 9) == [])
    #expect(deadlines.takeDue(at: 20) == ["first", "second", "middle"])
    #expect(deadlines.next == 30)
    // The clock was set back: past deadlines do not come due again, and the remaining one still waits.
    #expect(deadlines.takeDue(at: 5) == [])
    #expect(deadlines.takeDue(at: .max) == ["late"])
    #expect(deadlines.next == nil)
  }

  @Test("A removed deadline does not come due, and one that was set again comes due at its new time")
  func removedOrMovedDeadlineIsHonored() {
    var deadlines = DeadlineQueue<String>()
    deadlines.set("gone", at: 1)
    deadlines.set("moved", at: 2)
    deadlines.set("moved", at: 7)
    deadlines.remove("gone")
    deadlines.remove("never there")
    #expect(deadlines.next == 7)
    deadlines.set("gone", at: 9)
    #expect(deadlines.takeDue(at: 10) == ["moved", "gone"])
  }

  @Test("The deadlines of a hundred thousand flows that ended early leave nothing behind")
  func endedFlowsLeaveNoDeadlines() {
    var deadlines = DeadlineQueue<String>()
    for number in 0..<1_000 { deadlines.set("kept_\(number)", at: UInt64(number)) }
    for number in 0..<100_000 {
      deadlines.set("ended_\(number)", at: UInt64(number))
      deadlines.remove("ended_\(number)")
    }
    #expect(deadlines.heldCount < 2_100)
    #expect(deadlines.takeDue(at: .max).count == 1_000)
  }
}
