import Glibc
import SQLite
import Testing

@Suite("SQLite databases", .timeLimit(.minutes(5)))
struct SQLiteDatabaseTests {
  private struct Stop: Error {}

  private func numbers() throws -> SQLiteDatabase {
    let db = try SQLiteDatabase(path: "numbers", .memory)
    try db.execute("CREATE TABLE number (value INTEGER NOT NULL, name TEXT)")
    return db
  }

  @Test("Stored numbers, strings of every kind, the empty string, and NULL are read back unchanged")
  func storedValuesAreReadBackUnchanged() throws {
    let db = try numbers()
    for (index, text) in ["", "a", "ü水👩‍👩‍👧‍👦", "a\0b", String(repeating: "x", count: 100_000)].enumerated() {
      try db.run("INSERT INTO number VALUES (?, ?)", .integer(Int64(index)), .text(text))
      var found: String?
      try db.forEachRow("SELECT name FROM number WHERE value = ?", .integer(Int64(index))) { found = try $0.text(0) }
      #expect(found == text)
    }
    try db.run("INSERT INTO number VALUES (?, ?)", .integer(.max), nil)
    #expect(try db.rows("SELECT value FROM number WHERE name IS NULL") { try $0.number(0) } == [UInt64(Int64.max)])
    #expect(try db.text("SELECT name FROM number WHERE name IS NULL") == nil)
  }

  @Test(
    "Reading a column as a type that it does not hold throws an error that names the column",
    arguments: ["'text'", "1.5", "-1", "x'ff'", "CAST(x'ff' AS TEXT)", "NULL"])
  func columnOfAnotherTypeIsRefused(_ value: String) throws {
    let db = try numbers()
    #expect(throws: SQLiteRow.Unexpected(column: "n")) { try db.rows("SELECT \(value) AS n") { try $0.number(0) } }
    // A text can be read as one.
    if value == "'text'" {
      #expect(try db.rows("SELECT \(value) AS n") { try $0.text(0) } == ["text"])
      return
    }
    #expect(throws: SQLiteRow.Unexpected(column: "n")) { try db.rows("SELECT \(value) AS n") { try $0.text(0) } }
  }

  @Test("A transaction applies all of its changes or none, and a later one succeeds after a failure")
  func transactionAppliesAllOrNothing() throws {
    let db = try numbers()
    try db.transaction { try db.run("INSERT INTO number VALUES (1, NULL)") }
    do throws(SQLiteDatabase.TransactionError) {
      try db.transaction {
        try db.run("INSERT INTO number VALUES (2, NULL)")
        throw Stop()
      }
      Issue.record("it was done")
    } catch {
      #expect(error.reason is Stop)
      #expect(!error.isInDoubt)
    }
    try db.transaction { try db.run("INSERT INTO number VALUES (3, NULL)") }
    #expect(try db.rows("SELECT value FROM number ORDER BY value") { try $0.number(0) } == [1, 3])
  }

  @Test("A broken constraint, a missing table, a missing file, and a non-database file are different errors")
  func errorKindsAreDistinguished() throws {
    let db = try numbers()
    func kind(_ body: () throws -> Void) -> SQLiteError.Kind? {
      do {
        try body()
        return nil
      } catch {
        return (error as? SQLiteError)?.kind
      }
    }
    #expect(kind { try db.run("INSERT INTO number VALUES (NULL, NULL)") } == .constraint)
    #expect(kind { try db.execute("SELECT * FROM letter") } == .otherTables)
    #expect(kind { _ = try SQLiteDatabase(path: "/nowhere/at/all") } == .cannotOpen)
    #expect(
      kind { _ = try SQLiteDatabase(path: "/proc/self/exe", .immutable).number("SELECT count(*) FROM sqlite_master") }
        == .damaged)
  }

  @Test("Every system error for lack of space means that the disk is full", arguments: [ENOSPC, EDQUOT, EFBIG])
  func everyNoSpaceErrorMeansFull(_ systemCode: Int32) {
    let ioError: Int32 = 10
    #expect(SQLiteError(code: ioError | (3 << 8), systemCode: systemCode).kind == .full)
    #expect(SQLiteError(code: ioError | (3 << 8), systemCode: EIO).kind == .unavailable)
  }

  @Test("A commit that could not be written is void, and one that could not be synced is in doubt")
  func failedWriteIsVoidAndFailedSyncInDoubt() {
    let (full, busy, write, sync): (Int32, Int32, Int32, Int32) = (13, 5, 10 | (3 << 8), 10 | (4 << 8))
    #expect([full, busy, write].allSatisfy { SQLiteError(code: $0, systemCode: ENOSPC).meansNothingIsCommitted })
    #expect(!SQLiteError(code: sync, systemCode: EIO).meansNothingIsCommitted)
    #expect(!SQLiteError(code: sync, systemCode: ENOSPC).meansNothingIsCommitted)
  }
}
