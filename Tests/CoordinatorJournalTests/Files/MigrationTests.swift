import CoordinatorKit
import Foundation
import SQLite
import Testing

@testable import CoordinatorJournal

@Suite("Migration of older databases", .timeLimit(.minutes(5)))
struct MigrationTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test("An older database is migrated completely, keeps its larger pages, and can be stored into")
  func olderDatabaseIsMigratedCompletely() async throws {
    try shelf.make(Journal.fileName, Data())
    try shelf.change("PRAGMA page_size = 4096; VACUUM; PRAGMA journal_mode = WAL")
    let digest = #"{"high":1,"low":2}"#
    try {
      let db = try SQLiteDatabase(path: shelf.database)
      try JournalSchema.migrate(db, upTo: "2")
      try db.execute(
        """
        INSERT INTO tree (id, name, flow, digest, has_token, revision, last_screen, last_work)
          VALUES (1, 'mine', 'counter', '\(digest)', 1, 4, 1, 0);
        INSERT INTO coordinator VALUES (1, 'mine', 'counter', 1, '{}', 'navigation', 5, 2, '{"count":3}', NULL);
        INSERT INTO screen VALUES (1, 1, 'mine', '{"main":{}}', 'push', 0, NULL, 4, '{"name":"A"}');
        INSERT INTO child_outcome VALUES (1, 'mine/counter_1', '{"cancelled":{}}');
        INSERT INTO child_outcome VALUES (1, 'mine/counter_2', '{"finished":{"_0":{}}}');
        INSERT INTO request VALUES (1, 1, 'key', '{}');
        """)
      try db.checkpoint()
    }()
    let journal = try shelf.open()
    #expect(journal.notices.isEmpty)
    let root = try #require(try await journal.roots().live.first)
    #expect(root.name == "mine" && root.hasToken)
    let tree = try #require(try await journal.tree(of: root))
    #expect(tree.counters.revision == 4)
    #expect(tree.coordinators.map(\.state) == [#"{"count":3}"#])
    #expect(tree.screens.map(\.draft) == [["name": "A"]])
    #expect(tree.requests.map(\.key) == ["key"])
    #expect(tree.outcomes.count == 2)
    #expect(try await journal.database.perform { try $0.number("PRAGMA page_size") } == 4_096)
    try await journal.store(.sample("mine", revision: 5), of: root)
    #expect(try await journal.tree(of: root)?.counters.revision == 5)
  }

  @Test("A new database has small pages, since a commit writes every page that it touches in full")
  func newDatabaseHasSmallPages() async throws {
    let journal = try shelf.open()
    #expect(try await journal.database.perform { try $0.number("PRAGMA page_size") } == 1_024)
  }
}
