import CoordinatorJournal
import CoordinatorKit
import Testing

@testable import CoordinatorDaemon

@Suite("Rule 10: the restoration of trees", .timeLimit(.minutes(5)))
struct RestorationTests {
  private func roots(_ names: String...) -> [StoredRoot] {
    names.enumerated().map { number, name in
      StoredRoot(
        name: name, sequence: UInt64(number + 1), lastNumber: 0, flow: "notebook", digest: Digest(of: name), hasToken: true)
    }
  }

  @Test("Rule 10: Without a journal nothing waits")
  func withoutJournalNothingWaits() {
    let box = Box(Restoration<String>(hasJournal: false))
    #expect(box.value.isDone)
    #expect(!box.value.isMissing(.everything))
  }

  @Test("Rule 10: A call waits for what it needs, and for nothing else")
  func callWaitsForWhatItNeeds() {
    let box = Box(Restoration<String>(hasJournal: true))
    #expect(box.value.isMissing(.names))
    #expect(!box.value.isMissing(.nothing))
    box.value.hold("StartFlow", for: .names)
    box.value.hold("Delegate a before the names are known", for: .root("a"))
    #expect(box.value.begin(roots("a", "b")) == ["StartFlow", "Delegate a before the names are known"])
    #expect(!box.value.isMissing(.names))
    #expect(box.value.isMissing(.root("a")))
    #expect(!box.value.isMissing(.root("never heard of")))
    box.value.hold("Delegate a", for: .root("a"))
    box.value.hold("GetManagedObjects", for: .everything)
    #expect(box.value.hasEnded("b") == [])
    #expect(box.value.hasEnded("a") == ["Delegate a"])
    #expect(box.value.end() == ["GetManagedObjects"])
    #expect(box.value.isDone)
  }

  @Test("Rule 10: Trees for which calls wait are restored first, and no tree is restored twice")
  func urgentTreesComeFirst() {
    let box = Box(Restoration<String>(hasJournal: true))
    _ = box.value.begin(roots("a", "b", "c", "d"))
    box.value.hold("Delegate c", for: .root("c"))
    #expect(box.value.next(2).map(\.name) == ["c", "a"])
    #expect(box.value.next(2).map(\.name) == ["b", "d"])
    #expect(box.value.next(2).isEmpty)
  }
}
