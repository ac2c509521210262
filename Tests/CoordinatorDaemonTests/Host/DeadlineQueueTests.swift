import Testing

@testable import CoordinatorDaemon

@Suite("The deadlines of flows")
struct DeadlineQueueTests {
  @Test("come up by time, and of the same time in the order in which they were set")
  func order() {
    var deadlines = DeadlineQueue()
    #expect(deadlines.next == nil)
    for (name, time) in [("late", 30), ("first", 10), ("second", 10), ("middle", 20)] as [(String, UInt64)] {
      deadlines.set(name, at: time)
    }
    #expect(deadlines.next == 10)
    #expect(deadlines.takeDue(at: 9) == [])
    #expect(deadlines.takeDue(at: 20) == ["first", "second", "middle"])
    #expect(deadlines.next == 30)
    // The clock was set back: nothing that has come up comes again, and what is left waits.
    #expect(deadlines.takeDue(at: 5) == [])
    #expect(deadlines.takeDue(at: .max) == ["late"])
    #expect(deadlines.next == nil)
  }

  @Test("do not come up when they were removed, and at the new time when they were set again")
  func changes() {
    var deadlines = DeadlineQueue()
    deadlines.set("gone", at: 1)
    deadlines.set("moved", at: 2)
    deadlines.set("moved", at: 7)
    deadlines.remove("gone")
    deadlines.remove("never there")
    #expect(deadlines.next == 7)
    deadlines.set("gone", at: 9)
    #expect(deadlines.takeDue(at: 10) == ["moved", "gone"])
  }

  @Test("of a hundred thousand flows that ended before their time leave nothing behind")
  func compaction() {
    var deadlines = DeadlineQueue()
    for number in 0..<1_000 { deadlines.set("kept_\(number)", at: UInt64(number)) }
    for number in 0..<100_000 {
      deadlines.set("ended_\(number)", at: UInt64(number))
      deadlines.remove("ended_\(number)")
    }
    #expect(deadlines.heldCount < 2_100)
    #expect(deadlines.takeDue(at: .max).count == 1_000)
  }
}
