import CSQLite

/// A connection to a database. This is the only code that calls SQLite's C interface.
///
/// A connection is not `Sendable`: use it from one thread at a time, since it is opened with `SQLITE_OPEN_NOMUTEX`. It
/// is closed when it is deallocated.
package final class SQLiteDatabase {
  /// The mode in which a database is opened.
  package enum Mode: Sendable, Hashable {
    /// Reads and writes an existing file.
    case readWrite
    /// Reads an existing file that other connections may write.
    case readOnly
    /// Reads a file that no connection writes; SQLite ignores locks and the write-ahead log (`immutable=1`).
    case immutable
    /// Reads and writes a database that exists only in memory.
    case memory
  }

  /// The number of committed transactions.
  package private(set) var commits = 0
  private let handle: OpaquePointer
  /// Compiled statements, keyed by the address of their SQL.
  private var cached: [UnsafePointer<UInt8>: OpaquePointer] = [:]

  /// Opens a database. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - path: the path of the file; a relative path is relative to the working directory.
  ///   - mode: the mode in which to open it.
  ///   - busyTimeout: how long a call waits for another connection's lock, in milliseconds.
  /// - Throws: ``SQLiteError``.
  package init(path: String, _ mode: Mode = .readWrite, busyTimeout: Int32 = 5_000) throws(SQLiteError) {
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(Self.address(of: path, mode), &opened, Self.flags(mode), nil)
    guard status == SQLITE_OK, let opened else {
      let error = SQLiteError(opened, code: status == SQLITE_OK ? SQLITE_NOMEM : status)
      sqlite3_close_v2(opened)
      throw error
    }
    sqlite3_busy_timeout(opened, busyTimeout)
    // Closing must not change any file: a checkpoint would write into a database that may be damaged, and recreating
    // the log takes room that the disk may not have.
    coordinatord_keep_log_on_close(opened)
    handle = opened
  }

  deinit {
    for statement in cached.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  private static func flags(_ mode: Mode) -> Int32 {
    let access =
      switch mode {
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY
      }
    return access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
  }

  /// Only a URI can carry `immutable`, so the path is percent-encoded, except for unreserved characters.
  private static func address(of path: String, _ mode: Mode) -> String {
    guard mode == .immutable else { return path }
    let encoded = path.utf8.map { byte -> String in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return "file:\(encoded.joined())?immutable=1"
  }

  // MARK: Statements

  /// Executes SQL that returns no rows.
  ///
  /// - Throws: ``SQLiteError``.
  package func execute(_ sql: String) throws(SQLiteError) { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  /// Runs a statement that returns no rows. The statement is compiled once per connection.
  ///
  /// - Throws: ``SQLiteError``.
  package func run(_ sql: StaticString, _ values: SQLiteValue...) throws(SQLiteError) {
    let statement = try cachedStatement(sql)
    defer { reset(statement) }
    try bind(values, to: statement)
    while try step(statement) {}
  }

  /// Calls `body` with each row that a statement returns. The statement is compiled once per connection.
  ///
  /// - Throws: ``SQLiteError``, or any error that `body` throws.
  package func forEachRow(
    _ sql: StaticString, _ values: SQLiteValue..., body: (borrowing SQLiteRow) throws -> Void
  ) throws {
    let statement = try cachedStatement(sql)
    defer { reset(statement) }
    try bind(values, to: statement)
    while try step(statement) { try body(SQLiteRow(statement: statement)) }
  }

  /// Returns the rows of a statement, converted by `body`. The statement is compiled at each call.
  ///
  /// - Throws: ``SQLiteError``, or any error that `body` throws.
  package func rows<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], body: (borrowing SQLiteRow) throws -> Value
  ) throws -> [Value] {
    let statement = try compile(sql, isKept: false)
    defer { sqlite3_finalize(statement) }
    try bind(values, to: statement)
    var result: [Value] = []
    while try step(statement) { result.append(try body(SQLiteRow(statement: statement))) }
    return result
  }

  /// Returns the integer in the first column of the first row; nil if there is no row or the column is NULL.
  package func number(_ sql: String) throws -> UInt64? { try rows(sql) { try $0.optionalNumber(0) }.first ?? nil }

  /// Returns the text in the first column of the first row; nil if there is no row or the column is NULL.
  package func text(_ sql: String) throws -> String? { try rows(sql) { try $0.optionalText(0) }.first ?? nil }

  /// The number of rows that the most recent INSERT, UPDATE or DELETE changed. Source: `sqlite3_changes64`.
  package var changedRows: Int64 { sqlite3_changes64(handle) }

  /// The rowid of the most recently inserted row. Source: `sqlite3_last_insert_rowid`.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  private func cachedStatement(_ sql: StaticString) throws(SQLiteError) -> OpaquePointer {
    if let statement = cached[sql.utf8Start] { return statement }
    let statement = try compile(sql.description, isKept: true)
    cached[sql.utf8Start] = statement
    return statement
  }

  private func compile(_ sql: String, isKept: Bool) throws(SQLiteError) -> OpaquePointer {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0, &statement, nil))
    guard let statement else { throw SQLiteError(code: SQLITE_MISUSE, message: "no statement") }
    return statement
  }

  private func bind(_ values: [SQLiteValue], to statement: OpaquePointer) throws(SQLiteError) {
    for (index, value) in zip(Int32(1)..., values) {
      let status: Int32 =
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .text(var text):
          text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
              // An empty buffer may have no address, and SQLite would bind NULL.
              $0.isEmpty
                ? coordinatord_bind_text(statement, index, "", 0)
                : coordinatord_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
            }
          }
        }
      try check(status)
    }
  }

  /// Advances the statement, and returns whether there is another row.
  private func step(_ statement: OpaquePointer) throws(SQLiteError) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let status: throw SQLiteError(handle, code: status)
    }
  }

  private func reset(_ statement: OpaquePointer) {
    sqlite3_reset(statement)
    // The bound values may be large.
    sqlite3_clear_bindings(statement)
  }

  private func check(_ status: Int32) throws(SQLiteError) {
    guard status != SQLITE_OK else { return }
    throw SQLiteError(handle, code: status)
  }

  // MARK: Transactions

  /// The reason why a transaction failed.
  package struct TransactionError: Error {
    /// The underlying error.
    package let reason: any Error
    /// Whether the whole transaction may nevertheless be in the log, so that the next connection to open the database
    /// may find it.
    package let isInDoubt: Bool
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  ///
  /// - Throws: ``TransactionError``.
  package func transaction(_ body: () throws -> Void) throws(TransactionError) {
    do {
      // SQLite rolls back on its own after a failed commit, if it can. A transaction that is still open would make
      // BEGIN fail.
      if sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
      try run("BEGIN IMMEDIATE")
      try body()
    } catch {
      rollBack()
      throw TransactionError(reason: error, isInDoubt: false)
    }
    do throws(SQLiteError) {
      try run("COMMIT")
      commits += 1
    } catch {
      rollBack()
      throw TransactionError(reason: error, isInDoubt: !error.meansNothingIsCommitted)
    }
  }

  /// Checks that the connection can store changes. If a file cannot be opened for writing, even for a moment, SQLite
  /// silently opens it for reading and refuses every change for the lifetime of the connection.
  ///
  /// - Throws: ``SQLiteError``, of the kind ``SQLiteError/Kind/readOnly`` if a file was opened for reading.
  package func requireWritable() throws(SQLiteError) {
    // If the main file is read-only, BEGIN IMMEDIATE succeeds with a read transaction; if the log is, it fails.
    if sqlite3_db_readonly(handle, "main") == 1 { throw SQLiteError(code: SQLITE_READONLY) }
    try run("BEGIN IMMEDIATE")
    rollBack()
  }

  /// Runs `body` in a read transaction, so that it sees the database as of one moment, regardless of writes by other
  /// connections.
  ///
  /// - Throws: ``SQLiteError``, or any error that `body` throws.
  package func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
    try run("BEGIN")
    defer { rollBack() }
    return try body()
  }

  private func rollBack() {
    guard sqlite3_get_autocommit(handle) == 0 else { return }
    try? run("ROLLBACK")
  }

  // MARK: The write-ahead log

  /// Copies as much as possible from the log into the database without waiting for other connections
  /// (`SQLITE_CHECKPOINT_PASSIVE`). If everything was copied, the next writer reuses the log from its beginning.
  ///
  /// - Throws: ``SQLiteError``; nothing is lost then.
  package func bringIn() throws(SQLiteError) {
    try check(sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil))
  }

  /// Copies everything from the log into the database and truncates the log (`SQLITE_CHECKPOINT_TRUNCATE`). Both files
  /// remain.
  ///
  /// - Throws: ``SQLiteError``; nothing is lost then.
  package func checkpoint() throws(SQLiteError) {
    try check(sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
  }
}

/// A value of a column. Contains only the storage classes that this project uses.
package enum SQLiteValue: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
  case null
  case integer(Int64)
  case text(String)

  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(nilLiteral: ()) { self = .null }

  /// Creates a text value, or NULL for nil.
  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// Creates an integer value, or NULL for nil.
  package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }

  /// Creates the integer 1 for true or 0 for false.
  package init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}
