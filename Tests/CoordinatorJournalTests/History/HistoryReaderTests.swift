import CoordinatorKit
import Foundation
import Testing

@testable import CoordinatorJournal

@Suite("History readers", .timeLimit(.minutes(5)))
struct HistoryReaderTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  private var reader: HistoryReader { HistoryReader(directory: shelf.directory) }

  private func numbers(_ query: HistoryQuery) throws -> [UInt64] { try reader.page(query).entries.map(\.number) }

  @Test("A history reader sees who did what and when, while the journal is in use")
  func readerSeesEntriesOfJournalInUse() async throws {
    let journal = try shelf.open()
    let root = StoredRoot.sample("counter_1", 1)
    let path = CoordinatorPath(root: "counter_1")
    let user = Caller(user: 1_000, name: ":1.7")
    try await journal.store(
      .sample("counter_1", revision: 1, occasion: Occasion(.start, coordinator: path, name: "counter", caller: user)), of: root)
    try await journal.store(.sample("counter_1", revision: 2, occasion: Occasion(.back, caller: Caller(name: ":1.8"))), of: root)
    try await journal.store(
      .sample("counter_1", revision: 3, outcome: .cancelled, occasion: Occasion(.timeout, coordinator: path)), of: root)
    let expected = [
      HistoryEntry(
        number: 1, time: 1, root: path, occasion: Occasion(.start, coordinator: path, name: "counter", caller: user), revision: 1),
      HistoryEntry(number: 2, time: 2, root: path, occasion: Occasion(.back, caller: Caller(name: ":1.8")), revision: 2),
      HistoryEntry(
        number: 3, time: 3, root: path, occasion: Occasion(.timeout, coordinator: path), revision: 3, outcome: "cancelled"),
    ]
    #expect(try reader.page() == HistoryReader.Page(entries: expected, lastNumber: 3))
  }

  @Test("The history says what failed, with the whole reason, and is read as well where an older version has written it")
  func historySaysWhatFailed() async throws {
    let journal = try shelf.open()
    let root = StoredRoot.sample("counter_1", 1)
    try await journal.store(.sample("counter_1", revision: 1), of: root)
    var change = StoredChange.sample(
      "counter_1", revision: 2, outcome: .failed(Failure(code: "error", technical: "a handler threw Gone")))
    change.failure = Failure(code: "long", message: String(repeating: "é", count: FailureMessage.limit))
    try await journal.store(change, of: root)
    let failures = try reader.page().entries.map { $0.failures.map { "\($0.coordinator) \($0.flow ?? "-") \($0.code)" } }
    #expect(failures == [[], ["counter_1 - long", "counter_1 counter error"]])
    let reasons = try #require(try reader.page().entries.last?.failures.map(\.reason))
    let long = try #require(reasons.first)
    #expect((FailureMessage.limit - 1...FailureMessage.limit).contains(long.utf8.count) && long.hasSuffix(FailureMessage.mark))
    #expect(reasons.last == "a handler threw Gone")
    journal.close()
    try shelf.change("ALTER TABLE history DROP COLUMN failures")
    #expect(try reader.page().entries.map(\.failures) == [[], []])
    try shelf.open().close()
    #expect(try reader.page().entries.map(\.failures) == [[], []])
  }

  @Test("The history says in which way a call came, and is read as well where an older version has written it, and writes on")
  func historySaysTheWay() async throws {
    let journal = try shelf.open()
    let root = StoredRoot.sample("counter_1", 1)
    let caller = Caller(user: 1_000, name: ":1.7", way: "terminal")
    try await journal.store(.sample("counter_1", revision: 1, occasion: Occasion(.back, caller: caller)), of: root)
    #expect(try reader.page().entries.map(\.occasion.caller) == [caller])
    journal.close()
    try shelf.change("ALTER TABLE history DROP COLUMN way")
    #expect(try reader.page().entries.map(\.occasion.caller) == [Caller(user: 1_000, name: ":1.7")])
    let upgraded = try shelf.open()
    try await upgraded.store(.sample("counter_1", revision: 2, occasion: Occasion(.back, caller: caller)), of: root)
    upgraded.close()
    // An older version writes rows without the column that it does not know.
    try shelf.change(
      "INSERT INTO history (time, root, kind, user, sender, revision) VALUES (3, 'counter_1', 'back', 1000, ':1.7', 3)")
    #expect(try reader.page().entries.map(\.occasion.caller?.way) == [nil, "terminal", nil])
  }

  @Test("The history has every kind of occasion except drafts, one per typed word, and results that no coordinator has seen")
  func historyHasEveryKindExceptDrafts() async throws {
    let journal = try shelf.open()
    let root = StoredRoot.sample("counter_1", 1)
    for (index, kind) in Occasion.Kind.allCases.enumerated() {
      try await journal.store(.sample("counter_1", revision: UInt64(index + 1), occasion: Occasion(kind)), of: root)
    }
    #expect(try reader.page().entries.map(\.occasion.kind) == Occasion.Kind.allCases.filter { $0 != .draft && $0 != .workResult })
  }

  @Test("A query selects the newest entries, those since a time, after a number, or at and below a path")
  func queriesSelectByTimeNumberAndPath() async throws {
    let journal = try shelf.open()
    let roots = ["a_1": StoredRoot.sample("a_1", 1), "a_10": .sample("a_10", 2)]
    for (index, path) in ["a_1", "a_10", "a_1/b_1", "a_1/b_1/c_1", "a_1/b_10", "a_10/b_1"].enumerated() {
      let path = try #require(CoordinatorPath(names: path.split(separator: "/")))
      let root = try #require(roots[String(path.root)])
      var change = StoredChange.sample(
        root.name, revision: path.parent == nil ? 1 : 2, occasion: Occasion(.delegate, coordinator: path))
      change.time = UInt64(index + 1) * 100
      try await journal.store(change, of: root)
    }
    #expect(try numbers(HistoryQuery(limit: 2)) == [5, 6])
    #expect(try numbers(HistoryQuery(limit: 0)) == [])
    #expect(try numbers(HistoryQuery(since: 300)) == [3, 4, 5, 6])
    #expect(try numbers(HistoryQuery(after: 4)) == [5, 6])
    let below: [(String, [UInt64])] = [("a_1", [1, 3, 4, 5]), ("a_10", [2, 6]), ("a_1/b_1", [3, 4]), ("a_1/b", []), ("a", [])]
    for (path, found) in below {
      #expect(try numbers(HistoryQuery(path: CoordinatorPath(names: path.split(separator: "/")))) == found)
    }
    #expect(try numbers(HistoryQuery(path: CoordinatorPath(root: "a_1"), since: 200, after: 3, limit: 1)) == [5])
    #expect(try reader.page(HistoryQuery(path: CoordinatorPath(root: "none"))).lastNumber == 6)
  }

  @Test("Reading the history changes no file, whether the journal is in use, closed, or left by a kill")
  func readingChangesNoFile() async throws {
    let journal = try shelf.open()
    try await journal.start(.sample("counter_1", 1))
    let copy = try await shelf.copy(of: journal)
    try copy.open().close()
    for shelf in [shelf, copy] {
      let before = try shelf.contents()
      #expect(try HistoryReader(directory: shelf.directory).page().entries.count == 1)
      #expect(try shelf.contents() == before)
    }
    let writer = try Shelf()
    _ = try await Writer(in: writer.directory, trees: 1).kill()
    let names = try writer.files()
    #expect(names.contains("journal.sqlite-wal"))
    #expect(try HistoryReader(directory: writer.directory).page().entries.count == 1)
    #expect(try writer.files() == names)
    #expect(try await writer.open().roots().live.count == 1)
  }

  @Test("A history reader and a writing process work side by side without blocking each other")
  func readerAndWriterDoNotBlockEachOther() async throws {
    let writer = try await Writer(in: shelf.directory, trees: 2)
    writer.tell("run")
    var last: UInt64 = 0
    for _ in 0..<20 {
      let page = try reader.page(HistoryQuery(after: last))
      #expect(page.entries.map(\.number) == (last..<page.lastNumber).map { $0 + 1 })
      last = page.lastNumber
    }
    let answered = await writer.kill()
    #expect(try reader.page().lastNumber >= UInt64(answered.values.reduce(2, +)))
  }

  @Test("A history reader explains whether a file is missing, not a journal, or from a newer version")
  func unreadableHistoryIsExplained() async throws {
    #expect(throws: JournalError.noJournal(file: shelf.database, reason: "No such file or directory")) { try reader.page() }
    try shelf.make(Journal.fileName, Data(repeating: 0x20, count: 8_192))
    #expect(throws: JournalError.database("file is not a database")) { try reader.page() }
    try shelf.open().close()
    #expect(try reader.page() == HistoryReader.Page(entries: [], lastNumber: 0))
    try shelf.change("INSERT INTO grdb_migrations VALUES ('9999')")
    #expect(throws: JournalError.newer(file: shelf.database)) { try reader.page() }
    try shelf.change("PRAGMA application_id = 1")
    #expect(throws: JournalError.noJournal(file: shelf.database, reason: "it is another program's database")) {
      try reader.page()
    }
  }
}
