import Testing

@testable import CoordinatorDaemon

@Suite("Rule 2: The watch over handlers", .timeLimit(.minutes(5)))
struct HandlerWatchTests {
  private let start = ContinuousClock.now
  private let box = Box(HandlerWatch<Int>(deadline: .seconds(10)))
  private let delays = Box<[Duration]>([])

  /// Returns the number of the timer.
  private func schedule(_ delay: Duration) -> Int {
    delays.value.append(delay)
    return delays.value.count
  }

  private func tree(_ name: String, _ seconds: Int?) -> BusyTree {
    BusyTree(name: name, since: seconds.map { start - .seconds($0) })
  }

  @Test("The first busy tree schedules a check, and others do not until it has taken place")
  func onlyTheFirstBusyTreeSchedules() {
    box.value.treeIsBusy(schedule)
    box.value.treeIsBusy(schedule)
    #expect(delays.value == [.seconds(10)])
    box.value.hasFired()
    box.value.treeIsBusy(schedule)
    #expect(delays.value.count == 2)
  }

  @Test("A handler is stuck once it has run for the deadline, and not before")
  func handlerIsStuckAtTheDeadline() {
    let (stuck, next) = box.value.check([tree("a", 10), tree("b", 9), tree("c", 12), tree("d", 4)], at: start)
    #expect(stuck.map(\.name) == ["a", "c"])
    #expect(next == .seconds(1))
  }

  @Test("An event whose handler has not begun is looked at again after a whole deadline, however long it waits")
  func waitingEventIsNotStuck() {
    #expect(box.value.check([tree("a", nil)], at: start) == (stuck: [], next: .seconds(10)))
  }

  @Test("Without another busy tree, no check follows")
  func idleTreesNeedNoCheck() {
    #expect(box.value.check([], at: start) == (stuck: [], next: nil))
    #expect(box.value.check([tree("a", 11)], at: start).next == nil)
  }

  @Test("A check that is set anew replaces the one that was set")
  func newCheckReplacesTheOld() {
    #expect(box.value.lookAgain(after: .seconds(3), schedule) == nil)
    #expect(box.value.lookAgain(after: .zero, schedule) == 1)
    #expect(delays.value == [.seconds(3), .zero])
  }

  @Test("A new deadline is checked at once while a tree is busy, and applies to handlers that run already")
  func newDeadlineAppliesAtOnce() {
    #expect(box.value.change(deadline: .seconds(8)) == false)
    box.value.treeIsBusy(schedule)
    #expect(delays.value == [.seconds(8)])
    #expect(box.value.change(deadline: .seconds(5)) == true)
    #expect(box.value.check([tree("a", 6)], at: start).stuck.map(\.name) == ["a"])
  }
}

private func == (
  one: (stuck: [BusyTree], next: Duration?), other: (stuck: [BusyTree], next: Duration?)
) -> Bool { one.stuck == other.stuck && one.next == other.next }
