import CoordinatorKit
import Testing

@testable import CoordinatorJournal

@Suite("Rule 10: Damaged rows", .timeLimit(.minutes(5)))
struct DamagedRowTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  private func fill() async throws {
    let journal = try shelf.open()
    for number in UInt64(1)...6 {
      let root = StoredRoot.sample("counter_\(number)", number)
      try await journal.start(root)
      try await journal.store(.sample(root.name, revision: 2, request: 1), of: root)
    }
    for number in UInt64(5)...6 { try await journal.end(.sample("counter_\(number)", number)) }
    journal.close()
  }

  @Test(
    "Rule 10: A damaged row affects only its own tree, which is reported with what is known of it",
    arguments: [
      "UPDATE coordinator SET router = 'sideways' WHERE tree = 3", "UPDATE coordinator SET state = x'ff' WHERE tree = 3",
      "UPDATE coordinator SET work = '[' WHERE tree = 3", "UPDATE request SET entry = x'ff' WHERE tree = 3",
      "UPDATE tree SET last_screen = 'many' WHERE id = 3",
      "INSERT INTO ended_child VALUES (3, 1, 'counter_3/counter_1', '{')",
      "INSERT INTO screen VALUES (3, 1, 'counter_3', '0', 'sideways', 0, NULL, 1, NULL)",
    ])
  func damagedRowAffectsOnlyItsTree(_ sql: String) async throws {
    try await fill()
    try shelf.change(sql)
    let journal = try shelf.open()
    let roots = try await journal.roots()
    #expect(roots.live.count == 4)
    #expect(roots.damaged.isEmpty)
    let trees = try await journal.trees(of: roots.live)
    #expect(trees.count == 4)
    for root in roots.live where root.sequence != 3 {
      guard case .whole(let tree)? = trees[root.name] else {
        Issue.record("\(root.name) is not whole")
        continue
      }
      #expect(tree.counters.revision == 2)
    }
    guard case .damaged(let outline, let reason)? = trees["counter_3"] else {
      Issue.record("\(trees)")
      return
    }
    #expect(outline.root == CoordinatorPath(root: "counter_3"))
    #expect(!reason.isEmpty)
    #expect(journal.notices.isEmpty)
  }

  @Test(
    "Rule 10: A damaged row of the table of trees leaves all other live and ended trees intact",
    arguments: [
      ("UPDATE tree SET digest = 7 WHERE id = 3", "counter_3"), ("UPDATE tree SET has_token = 'yes' WHERE id = 3", "counter_3"),
      ("UPDATE tree SET flow = x'00ff' WHERE id = 3", "counter_3"),
      ("UPDATE tree SET outcome = '{\"vanished\":{}}' WHERE id = 5", "counter_5"),
      ("UPDATE tree SET end_number = 'last' WHERE id = 5", "counter_5"),
    ])
  func damagedRootRowLeavesOthersIntact(_ sql: String, _ name: String) async throws {
    try await fill()
    try shelf.change(sql)
    let journal = try shelf.open()
    let roots = try await journal.roots()
    #expect(roots.damaged.map(\.name) == [name])
    let others = roots.live.map(\.name) + roots.ended.map(\.root.name)
    #expect(others == (1...6).map { "counter_\($0)" }.filter { $0 != name })
    #expect(journal.notices.isEmpty)
  }

  @Test("Rule 10: A root row whose name is unreadable is reported and left in place")
  func namelessRootRowIsReportedAndKept() async throws {
    try await fill()
    try shelf.change("UPDATE tree SET name = x'ff' WHERE id = 3")
    let journal = try shelf.open()
    let roots = try await journal.roots()
    #expect(roots.live.count == 3)
    #expect(journal.notices == [.strayRow("a row of the table tree (id 3)")])
    #expect(try await journal.database.perform { try $0.number("SELECT count(*) FROM tree") } == 6)
  }

  @Test("Rule 10: Of an ended tree's answers, only a damaged one is forgotten")
  func damagedAnswerIsForgottenAlone() async throws {
    try await fill()
    try shelf.change("UPDATE request SET key = x'ff' WHERE tree = 5")
    let roots = try await shelf.open().roots()
    #expect(roots.live.count == 4)
    #expect(roots.ended.map(\.requests.count) == [0, 1])
  }
}
