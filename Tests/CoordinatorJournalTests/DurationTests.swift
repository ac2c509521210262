import CoordinatorKit
import SQLite
import Testing

@testable import CoordinatorJournal

@Suite("Durations in a journal, and older versions", .timeLimit(.minutes(5)))
struct DurationTests {
  let shelf: Shelf
  private let moment = Moment(wall: 1_700_000_000_000_000, elapsed: ElapsedTime(boot: 5, microseconds: 3))

  init() throws { shelf = try Shelf() }

  private func root(_ name: String, _ sequence: UInt64) -> StoredRoot {
    var root = StoredRoot.sample(name, sequence)
    root.timeout = FlowTimeout(7, from: moment)
    return root
  }

  @Test("A journal of an older version is opened, and its timeouts are known by the wall clock")
  func upgrade() async throws {
    var journal = try shelf.open()
    try await journal.start(root("old", 1))
    journal.close()
    try shelf.change("DROP TABLE machine; ALTER TABLE tree DROP COLUMN lapse")
    journal = try shelf.open()
    #expect(try await journal.roots().live.map(\.timeout) == [FlowTimeout(due: moment.wall + 7)])
    try await journal.start(root("new", 2))
    #expect(try await journal.roots().live.last?.timeout == FlowTimeout(7, from: moment))
    journal.close()
  }

  @Test("An older version continues the journal, and its records can be read")
  func downgrade() async throws {
    var journal = try shelf.open()
    try await journal.start(root("new", 1))
    let isNewer = try await journal.database.perform { try JournalSchema.isNewer($0) }
    #expect(!isNewer)
    // Older versions must refuse databases with a migration that they do not know.
    #expect(JournalSchema.migrations.map(\.name) == ["1", "2", "3", "4"])
    journal.close()
    try shelf.change(
      """
      INSERT INTO tree (id, name, flow, digest, has_token, owner, owner_bus, deadline, revision, last_screen, last_work)
        SELECT 2, 'old', flow, digest, has_token, owner, owner_bus, 9, revision, last_screen, last_work FROM tree;
      UPDATE tree SET outcome = '"cancelled"', owner = NULL, owner_bus = NULL, deadline = NULL, end_number = 1 WHERE id = 1
      """)
    journal = try shelf.open()
    #expect(try await journal.roots().live.map(\.timeout) == [FlowTimeout(due: 9)])
    journal.close()
  }

  @Test("The first reading of the clocks since the start of the machine is kept until another start")
  func machine() async throws {
    var journal = try shelf.open()
    #expect(await journal.startOfMachine(now: moment).first == moment)
    let later = self.moment(5, 900, wall: 5)
    #expect(await journal.startOfMachine(now: later).first == moment)
    journal.close()
    journal = try shelf.open()
    #expect(await journal.startOfMachine(now: later).first == moment)
    let next = self.moment(6, 1, wall: 6)
    #expect(await journal.startOfMachine(now: next).first == next)
    #expect(await journal.startOfMachine(now: self.moment(6, 2, wall: 7)).first == next)
    #expect(journal.notices.isEmpty)
    journal.close()
  }

  private func moment(_ boot: UInt64, _ elapsed: UInt64, wall: UInt64 = 7) -> Moment {
    Moment(wall: wall, elapsed: ElapsedTime(boot: boot, microseconds: elapsed))
  }

  @Test("How long the machine has run before each start is what was noted, and at least the first reading")
  func earlierStarts() async throws {
    let journal = try shelf.open()
    #expect(await journal.startOfMachine(now: moment(5, 3)).earlier == [5: 0])
    journal.note(ElapsedTime(boot: 5, microseconds: 50))
    journal.note(ElapsedTime(boot: 4, microseconds: 900))
    #expect(await journal.startOfMachine(now: moment(6, 10)).earlier == [5: 0, 6: 50])
    #expect(await journal.startOfMachine(now: moment(7, 20)).earlier == [5: 0, 6: 50, 7: 60])
    journal.note(ElapsedTime(boot: 7, microseconds: 40))
    journal.close()
    let next = try shelf.open()
    #expect(await next.startOfMachine(now: moment(8, 1)).earlier == [5: 0, 6: 50, 7: 60, 8: 100])
    next.close()
  }

  @Test("A start that an older version has stored is read, and so is one that it has stored over newer ones")
  func olderStarts() async throws {
    var journal = try shelf.open()
    journal.close()
    try shelf.change(
      """
      DROP TABLE machine;
      CREATE TABLE machine (boot INTEGER PRIMARY KEY, wall INTEGER NOT NULL, elapsed INTEGER NOT NULL);
      INSERT INTO machine (boot, wall, elapsed) VALUES (5, 7, 30)
      """)
    journal = try shelf.open()
    #expect(await journal.startOfMachine(now: moment(5, 80)) == MachineStart(moment(5, 30), earlier: [5: 0]))
    #expect(await journal.startOfMachine(now: moment(6, 1)).earlier == [5: 0, 6: 30])
    journal.close()
    // Simulates an older version after a reboot of the machine.
    try shelf.change("DELETE FROM machine; INSERT INTO machine (boot, wall, elapsed) VALUES (7, 7, 40)")
    journal = try shelf.open()
    #expect(await journal.startOfMachine(now: moment(8, 1)).earlier == [7: 0, 8: 40])
    #expect(journal.notices.isEmpty)
    journal.close()
  }

  @Test("A journal remembers the last thousand starts of the machine")
  func manyStarts() async throws {
    var journal = try shelf.open()
    journal.close()
    try shelf.change(
      """
      WITH RECURSIVE start (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM start WHERE number < 1000)
        INSERT INTO machine (boot, wall, elapsed, earlier, seen) SELECT number, 7, 2, (number - 1) * 2, 2 FROM start
      """)
    journal = try shelf.open()
    for boot in [1_001, 1_002] as [UInt64] { _ = await journal.startOfMachine(now: moment(boot, 2)) }
    let starts: ClosedRange<UInt64> = 3...1_002
    let earlier = await journal.startOfMachine(now: moment(1_002, 3)).earlier
    #expect(earlier == Dictionary(uniqueKeysWithValues: starts.map { ($0, ($0 - 1) * 2) }))
    journal.close()
  }

  @Test("Where the starts cannot be read or kept, the present reading is used, there is one notice, and nothing is lost")
  func unkept() async throws {
    let journal = try shelf.open()
    try await journal.start(root("kept", 1))
    try await journal.database.perform { try $0.execute("DROP TABLE machine") }
    for reading in [moment, moment(5, 900)] {
      #expect(await journal.startOfMachine(now: reading) == MachineStart(reading))
      journal.note(reading.elapsed)
    }
    #expect(try await journal.roots().live.map(\.name) == ["kept"])
    #expect(journal.notices.map(\.isLoss) == [false])
    journal.close()
  }

  @Test("Where only the present start cannot be kept, those before it count")
  func unkeptStart() async throws {
    let journal = try shelf.open()
    _ = await journal.startOfMachine(now: moment(5, 30))
    try await journal.database.perform {
      try $0.execute("CREATE TRIGGER room BEFORE INSERT ON machine BEGIN SELECT raise(ABORT, 'no room'); END")
    }
    #expect(await journal.startOfMachine(now: moment(6, 1)).earlier == [5: 0, 6: 30])
    #expect(journal.notices.count == 1)
    journal.close()
  }
}
