import CoordinatorJournal
import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("A journal")
struct JournalTests {
  @Test("Rule 10: gives back every tree as it was when its last transition was answered")
  func same() async throws {
    let shelf = try Shelf()
    var journal = try shelf.open()
    let (flow, root) = try await shelf.start("counter_1", 1, in: journal)
    for event in ["count", "push", "say", "child", "count", "work", "child", "push", "say"] { try await flow.send(event) }
    try await flow.send("finish")
    try await flow.send("count", key: "key")
    let expected = try await StoredTree(flow.tree.state, in: shelf.catalogue)
    journal.close()
    journal = try shelf.open()
    #expect(try journal.roots().live == [root])
    let trees = try journal.trees(of: [root])
    #expect(trees["counter_1"]?.inOrder == expected.inOrder)
    #expect(expected.outcomes.count == 1)
    #expect(expected.requests.count == 1)
  }
}

extension StoredTree {
  /// The same, in an order that does not depend on how it came about.
  var inOrder: StoredTree {
    var tree = self
    tree.coordinators.sort { $0.path.text < $1.path.text }
    tree.screens.sort { $0.id < $1.id }
    tree.requests.sort { $0.number < $1.number }
    return tree
  }
}
