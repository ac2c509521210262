import Testing

@testable import CoordinatorKit

@Suite("Differences between windows", .timeLimit(.minutes(5)))
struct WindowDifferenceTests {
  private let root = CoordinatorPath(root: "probe_1")

  private func window(_ ids: ClosedRange<UInt64>) -> Window {
    Window(
      ids.map { number in
        ShownScreen(
          id: ScreenID(number), coordinator: root, route: "route-\(number)", style: .push, layer: 0,
          content: .message("m", title: Text(verbatim: "Screen \(number)")), attached: [], back: true, changedAt: 1)
      })
  }

  @Test("Screens that stay the same do not differ, however many there are")
  func unchangedScreensDoNotDiffer() {
    let old = window(1...1_000)
    let difference = WindowDifference(from: old, to: old)
    #expect(difference.screens.isEmpty && difference.oldScreens.isEmpty && difference.removed.isEmpty)
  }

  @Test("A changed screen is found with its old value among screens that stay the same", arguments: [1, 5, 10] as [UInt64])
  func changedScreenIsFoundWithItsOldValue(number: UInt64) {
    let old = window(1...10)
    var new = old
    new.update(ScreenID(number)) { $0.attached = [.info("x", "changed")] }
    let difference = WindowDifference(from: old, to: new)
    #expect(difference.screens.map(\.id) == [ScreenID(number)])
    #expect(difference.old(ScreenID(number))?.attached.isEmpty == true)
    #expect(difference.removed.isEmpty)
  }

  @Test("Removed screens come top first, and new screens have no old value", arguments: [2, 200] as [UInt64])
  func removedScreensComeTopFirst(count: UInt64) {
    let old = window(1...count)
    var new = old
    _ = new.remove { $0.id == ScreenID(2) }
    new.push(window(999...999).screens[0], onto: 0)
    let difference = WindowDifference(from: old, to: new)
    #expect(difference.removed.map(\.id) == (2...count).reversed().map { ScreenID($0) })
    #expect(difference.screens.map(\.id) == [ScreenID(999)])
    #expect(difference.old(ScreenID(999)) == nil)
  }

  @Test("Changing a copy of a window leaves the original unchanged")
  func changedCopyLeavesOriginalUntouched() {
    let old = window(1...2)
    var new = old
    new.update(ScreenID(1)) { $0.changedAt = 7 }
    #expect(old[ScreenID(1)]?.changedAt == 1)
    #expect(new[ScreenID(1)]?.changedAt == 7)
  }
}
