import CSQLite

/// A connection to a database: the one place that knows SQLite's C interface.
///
/// Not `Sendable`: it belongs to whoever opened it, one at a time, and SQLite guards nothing by itself here. It is closed when it is
/// released.
package final class SQLiteDatabase {
  /// How a database is opened.
  package enum Mode: Sendable, Hashable {
    /// To read and to write a file that is there.
    case readWrite
    /// To read a file that is there, beside others who may write.
    case readOnly
    /// To read a file that nobody writes: neither locks nor a log are looked at.
    case immutable
    /// To read and to write a database that is nowhere but in memory.
    case memory
  }

  /// How many transactions were done.
  package private(set) var commits = 0
  private let handle: OpaquePointer
  /// Compiled once, by where their texts are.
  private var cached: [UnsafePointer<UInt8>: OpaquePointer] = [:]

  /// Opens a database. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - path: the file's path; anything that does not begin with a slash is taken for one below the working directory.
  ///   - mode: what for.
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
    // Closing changes no file: it would write into a database that may be damaged, and making a log anew takes room that a disk may not have.
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

  /// Only an address can say that nothing changes; all but the plainest characters are encoded.
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

  /// Runs statements that give no rows.
  ///
  /// - Throws: ``SQLiteError``.
  package func execute(_ sql: String) throws(SQLiteError) { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  /// Runs a statement that gives no rows, and is compiled once for the connection.
  ///
  /// - Throws: ``SQLiteError``.
  package func run(_ sql: StaticString, _ values: SQLiteValue...) throws(SQLiteError) {
    let statement = try cachedStatement(sql)
    defer { reset(statement) }
    try bind(values, to: statement)
    while try step(statement) {}
  }

  /// Hands the rows over one by one that a statement gives, which is compiled once for the connection.
  ///
  /// - Throws: ``SQLiteError``; what `body` throws.
  package func forEachRow(
    _ sql: StaticString, _ values: SQLiteValue..., body: (borrowing SQLiteRow) throws -> Void
  ) throws {
    let statement = try cachedStatement(sql)
    defer { reset(statement) }
    try bind(values, to: statement)
    while try step(statement) { try body(SQLiteRow(statement: statement)) }
  }

  /// The rows that a statement gives, which is compiled each time.
  ///
  /// - Throws: ``SQLiteError``; what `body` throws.
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

  /// The number in the first column of the first row; nil if there is no row, or NULL.
  package func number(_ sql: String) throws -> UInt64? { try rows(sql) { try $0.optionalNumber(0) }.first ?? nil }

  /// The text in the first column of the first row; nil if there is no row, or NULL.
  package func text(_ sql: String) throws -> String? { try rows(sql) { try $0.optionalText(0) }.first ?? nil }

  /// How many rows the last statement that changes any has changed.
  package var changedRows: Int64 { sqlite3_changes64(handle) }

  /// The id of the row that was inserted last.
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
              // An empty text has no address, which would be taken for NULL.
              $0.isEmpty
                ? coordinatord_bind_text(statement, index, "", 0)
                : coordinatord_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
            }
          }
        }
      try check(status)
    }
  }

  /// Whether there is another row.
  private func step(_ statement: OpaquePointer) throws(SQLiteError) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let status: throw SQLiteError(handle, code: status)
    }
  }

  private func reset(_ statement: OpaquePointer) {
    sqlite3_reset(statement)
    // What was bound may be long.
    sqlite3_clear_bindings(statement)
  }

  private func check(_ status: Int32) throws(SQLiteError) {
    guard status != SQLITE_OK else { return }
    throw SQLiteError(handle, code: status)
  }

  // MARK: Transactions

  /// Why a transaction was not done.
  package struct TransactionError: Error {
    /// What went wrong.
    package let reason: any Error
    /// Whether the whole of it may be in the log all the same, so that whoever opens the database next may find it there.
    package let isInDoubt: Bool
  }

  /// Does all that `body` does, or nothing.
  ///
  /// - Throws: ``TransactionError``.
  package func transaction(_ body: () throws -> Void) throws(TransactionError) {
    do {
      // SQLite has undone it by itself if it could, and what is left of one could not be undone then.
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

  /// Makes sure that changes can be stored. Where a file cannot be opened for writing, be it for a moment, SQLite opens it for reading
  /// instead, says nothing, and refuses every change for as long as the connection lives.
  ///
  /// - Throws: ``SQLiteError``, of the kind ``SQLiteError/Kind/readOnly`` if so.
  package func requireWritable() throws(SQLiteError) {
    // Of a database that is only read, BEGIN IMMEDIATE asks for no more than that; of a log, it says so.
    if sqlite3_db_readonly(handle, "main") == 1 { throw SQLiteError(code: SQLITE_READONLY) }
    try run("BEGIN IMMEDIATE")
    rollBack()
  }

  /// Reads as of one moment, whatever others write meanwhile.
  ///
  /// - Throws: `SQLiteError`; what `body` throws.
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

  /// Brings as much from the log into the database as can be without waiting for anybody; when that is all, the log begins anew.
  ///
  /// - Throws: ``SQLiteError``; nothing is lost then.
  package func bringIn() throws(SQLiteError) {
    try check(sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil))
  }

  /// Brings everything from the log into the database, and makes the log empty. Both files stay.
  ///
  /// - Throws: ``SQLiteError``; nothing is lost then.
  package func checkpoint() throws(SQLiteError) {
    try check(sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
  }
}
