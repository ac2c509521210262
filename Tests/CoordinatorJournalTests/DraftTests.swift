import CoordinatorKit
import Foundation
import SQLite
import Testing

@testable import CoordinatorJournal

@Suite("Drafts in a journal", .timeLimit(.minutes(5)))
struct DraftTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  private func change(of root: StoredRoot, draft: [String: JSONValue]) -> StoredChange {
    var change = StoredChange.sample(
      root.name, revision: 1, occasion: Occasion(.draft, coordinator: CoordinatorPath(root: root.name), screen: ScreenID(1)))
    change.isStart = false
    change.screens = [
      StoredScreen(
        id: ScreenID(1), coordinator: CoordinatorPath(root: root.name), route: "\"a\"", style: .push, layer: 0, attached: [],
        draft: draft, changedAt: 1)
    ]
    return change
  }

  @Test("Rule 10: The last saved draft is restored, and drafts are not in the history")
  func lastSavedDraftIsRestored() async throws {
    var journal = try shelf.open()
    let root = StoredRoot.sample("mine", 1)
    try await journal.start(root)
    try await journal.store(change(of: root, draft: ["name": "A"]), of: root)
    try await journal.store(change(of: root, draft: ["name": "Ad", "likes": .array(["tea"])]), of: root)
    journal.close()
    journal = try shelf.open()
    #expect(try await journal.tree(of: root)?.screens.first?.draft == ["name": "Ad", "likes": .array(["tea"])])
    try await journal.store(change(of: root, draft: [:]), of: root)
    #expect(try await journal.tree(of: root)?.screens.first?.draft == [:])
    #expect(try HistoryReader(directory: shelf.directory).page().entries.map(\.occasion.kind) == [.delegate])
  }

  @Test("A database from before drafts existed is migrated")
  func databaseWithoutDraftsIsMigrated() throws {
    let db = try SQLiteDatabase(path: "", .memory)
    try JournalSchema.migrate(db, upTo: "1")
    try db.execute(
      """
      INSERT INTO tree (id, name, flow, digest, has_token, revision, last_screen, last_work)
        VALUES (1, 'mine', 'counter', '{}', 0, 1, 1, 0);
      INSERT INTO screen VALUES (1, 1, 'mine', '"a"', 'push', 0, NULL, 1);
      """)
    try JournalSchema.migrate(db)
    guard case .whole(let tree)? = try TreeReader(db: db).trees([1])[1] else {
      Issue.record("it was not read")
      return
    }
    #expect(tree.screens.map(\.draft) == [[:]])
  }
}
