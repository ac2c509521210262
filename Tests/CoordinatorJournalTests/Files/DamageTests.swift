import CoordinatorKit
import Foundation
import SQLite
import Testing

@testable import CoordinatorJournal

@Suite("Unusable journals", .timeLimit(.minutes(5)))
struct DamageTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  /// A kind of damage to the database, or another file in its place.
  enum Damage: String, CaseIterable, CustomTestStringConvertible {
    case header, firstPages, middle, truncated, cutInPage, textFile, empty, directory, foreign, noTable

    var testDescription: String { rawValue }

    /// Damages a database of many pages.
    func happen(to shelf: Shelf) throws {
      switch self {
      case .header: try shelf.damage { $0.replaceSubrange(0..<64, with: Data(repeating: 0xA5, count: 64)) }
      case .firstPages: try shelf.damage { $0.replaceSubrange(100..<20_000, with: Data(repeating: 0xA5, count: 19_900)) }
      case .middle:
        try shelf.damage {
          let middle = $0.count / 2 / 4096 * 4096
          $0.replaceSubrange(middle..<(middle + 4096), with: Data(repeating: 0xA5, count: 4096))
        }
      case .truncated: try shelf.damage { $0 = $0.prefix($0.count / 2 / 4096 * 4096) }
      case .cutInPage: try shelf.damage { $0 = $0.prefix(50) }
      case .textFile: try shelf.damage { $0 = Data("not a database, but longer than its header\n".utf8) + $0.dropFirst(1_000) }
      case .empty: try shelf.damage { $0 = Data() }
      case .directory:
        try FileManager.default.removeItem(atPath: shelf.database)
        try FileManager.default.createDirectory(atPath: shelf.database, withIntermediateDirectories: false)
      case .foreign:
        try FileManager.default.removeItem(atPath: shelf.database)
        try shelf.make(Journal.fileName, Data())
        try shelf.change("CREATE TABLE theirs (x)")
      case .noTable:
        try shelf.change("DROP TABLE tree")
      }
    }
  }

  private func fill() async throws {
    let journal = try shelf.open()
    for number in UInt64(1)...40 {
      let root = StoredRoot.sample("counter_\(number)", number)
      try await journal.start(root)
      try await journal.store(
        .sample(root.name, revision: 2, state: String(repeating: "x", count: 3_000)), of: root)
    }
    journal.close()
  }

  @Test(
    "A damaged journal is moved aside unchanged and reported, and a new one replaces it and works", arguments: Damage.allCases)
  func damagedJournalIsMovedAside(_ damage: Damage) async throws {
    try await fill()
    try damage.happen(to: shelf)
    let found = FileManager.default.contents(atPath: shelf.database)
    var journal = try shelf.open()
    #expect(try await journal.roots() == StoredRoots())
    guard case .movedAside(let file, let aside, let reason)? = journal.notices.first else {
      Issue.record("nothing was said")
      return
    }
    #expect(journal.notices.count == 1)
    #expect(file == shelf.database)
    #expect(aside.hasPrefix("\(shelf.database).damaged-2"))
    #expect(!reason.isEmpty)
    #expect(FileManager.default.contents(atPath: aside) == found)
    try await journal.start(.sample("counter_1", 1))
    journal.close()
    journal = try shelf.open()
    #expect(try await journal.roots().live.count == 1)
    #expect(journal.notices.isEmpty)
  }

  @Test("Each journal that is moved aside gets a different name")
  func movedJournalsGetDifferentNames() async throws {
    for _ in 0..<3 {
      try shelf.make(Journal.fileName, Data("not a database".utf8))
      try shelf.open().close()
    }
    #expect(try shelf.files().count { $0.hasPrefix("journal.sqlite.damaged-") } == 3)
  }

  @Test("A damaged journal is moved aside together with its write-ahead log")
  func logMovesWithDamagedJournal() async throws {
    var journal: Journal? = try shelf.open()
    try await journal?.start(.sample("counter_1", 1))
    // The log in the state that a kill leaves.
    let log = try Data(contentsOf: URL(filePath: shelf.path("journal.sqlite-wal")))
    journal?.close()
    journal = nil
    try shelf.make(Journal.fileName, Data())
    try shelf.make("journal.sqlite-wal", log)
    journal = try shelf.open()
    #expect(journal?.notices.count == 1)
    let aside = try #require(try shelf.files().first { $0.hasPrefix("journal.sqlite.damaged-") && $0.hasSuffix("-wal") })
    #expect(try Data(contentsOf: URL(filePath: shelf.path(aside))) == log)
    #expect(try await journal?.roots() == StoredRoots())
  }

  @Test("A journal from a newer version is left in place unchanged")
  func newerJournalStaysInPlace() async throws {
    try await fill()
    try shelf.change("INSERT INTO grdb_migrations VALUES ('9999')")
    let before = FileManager.default.contents(atPath: shelf.database)
    #expect(throws: JournalError.newer(file: shelf.database)) { try shelf.open() }
    #expect(FileManager.default.contents(atPath: shelf.database) == before)
    #expect(try shelf.files().allSatisfy { !$0.contains("damaged") })
    // The failed attempt has not left a lock behind.
    #expect(throws: JournalError.newer(file: shelf.database)) { try shelf.open() }
  }
}
