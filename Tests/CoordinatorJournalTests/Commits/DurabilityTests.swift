import CoordinatorKit
import CoordinatorTestKit
import SQLite
import TestBus
import TestFlows
import Testing

@testable import CoordinatorJournal

@Suite("Durability of a journal", .timeLimit(.minutes(5)))
struct DurabilityTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test(
    "The database has the configured durability and a write-ahead log, also after reopening",
    arguments: [(.full, 2), (.normal, 1), (.off, 0)] as [(JournalConfiguration.Sync, UInt64)])
  func databaseUsesConfiguredDurability(_ sync: JournalConfiguration.Sync, _ number: UInt64) async throws {
    for _ in 0..<2 {
      let journal = try Journal(JournalConfiguration(directory: shelf.directory, sync: sync))
      let (level, mode) = try await journal.database.perform { db in
        (try db.number("PRAGMA synchronous"), try db.text("PRAGMA journal_mode"))
      }
      #expect(level == number)
      #expect(mode == "wal")
      journal.close()
    }
  }

  @Test("Sync is 'full' by default")
  func syncIsFullByDefault() { #expect(JournalConfiguration(directory: "/").sync == .full) }

  /// A condition under which the database refuses to write, and how to begin and end it.
  enum Trouble: String, CaseIterable, CustomTestStringConvertible {
    case noRoom, readOnly

    var testDescription: String { rawValue }

    func begin(_ db: SQLiteDatabase) throws {
      switch self {
      case .noRoom: try db.execute("PRAGMA max_page_count = \(try db.number("PRAGMA page_count") ?? 0)")
      case .readOnly: try db.execute("PRAGMA query_only = 1")
      }
    }

    func end(_ db: SQLiteDatabase) throws {
      switch self {
      case .noRoom: try db.execute("PRAGMA max_page_count = 1000000")
      case .readOnly: try db.execute("PRAGMA query_only = 0")
      }
    }
  }

  @Test("A transition that cannot be stored changes nothing, and the next storable one is stored", arguments: Trouble.allCases)
  func unstorableTransitionChangesNothing(_ trouble: Trouble) async throws {
    let journal = try shelf.open()
    let (flow, root) = try await shelf.start("counter_1", 1, in: journal)
    try await journal.database.perform { try trouble.begin($0) }
    var answered = 0
    // A few transitions fit on the existing pages.
    await #expect {
      while true {
        try await flow.send("push")
        answered += 1
      }
    } throws: { error in
      if case CallError.notStored = error { true } else { false }
    }
    let before = try await StoredTree(flow.tree.state, in: shelf.catalogue)
    #expect(before.screens.count == answered + 1)
    #expect(try await journal.tree(of: root)?.inOrder == before.inOrder)
    try await journal.database.perform { try trouble.end($0) }
    try await flow.sendOnceThereIsRoom("push")
    let after = try await StoredTree(flow.tree.state, in: shelf.catalogue)
    #expect(after.screens.count == answered + 2)
    #expect(try await journal.tree(of: root)?.inOrder == after.inOrder)
  }
}

extension TestFlow {
  /// Sends an event until it is accepted: a journal tries a full disk again after a second.
  fileprivate func sendOnceThereIsRoom(_ event: String) async throws {
    try await poll {
      do {
        try await send(event)
        return true
      } catch CallError.notStored {
        return false
      }
    }
  }
}
