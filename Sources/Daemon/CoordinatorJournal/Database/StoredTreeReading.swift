import CoordinatorKit
import SQLite

/// The result of reading a live tree.
public enum StoredTreeReading: Sendable, Hashable {
  /// The whole tree.
  case whole(StoredTree)
  /// A tree of which some rows contain values that a journal never writes: the part that could be read, and why the
  /// rest could not.
  case damaged(TreeOutline, reason: String)
}

/// Stores the starts of the machine: the first reading of the clocks since each, and how long the machine has run.
struct MachineTable {
  /// The maximum number of starts that are stored.
  static let limit: UInt64 = 1_000

  let db: SQLiteDatabase

  /// Reads the current start of the machine, and the earlier ones.
  ///
  /// - Parameter moment: the current reading of the clocks.
  /// - Returns: the start; and whether the current reading is the first since then, and must be stored.
  /// - Throws: `SQLiteError`, `SQLiteRow.Unexpected`.
  func start(now moment: Moment) throws -> (start: MachineStart, isNew: Bool) {
    let boot = moment.elapsed.boot
    var start = MachineStart(moment)
    var total: UInt64 = 0
    try db.forEachRow("SELECT boot, wall, elapsed, earlier, seen FROM machine") { row in
      let (elapsed, earlier) = (try row.number(2), try row.optionalNumber(3) ?? 0)
      // Older versions store neither the earlier time nor the time seen later. No sum of two columns overflows.
      total = max(total, earlier + max(elapsed, try row.optionalNumber(4) ?? 0))
      let id = try row.number(0)
      start.earlier[id] = earlier
      guard id == boot else { return }
      start.first = Moment(wall: try row.number(1), elapsed: ElapsedTime(boot: boot, microseconds: elapsed))
    }
    guard start.earlier[boot] == nil else { return (start, false) }
    start.earlier[boot] = total
    return (start, true)
  }

  /// Stores a new start, and forgets the oldest ones beyond the limit.
  ///
  /// - Throws: `SQLiteError`.
  func store(_ start: MachineStart) throws {
    let (wall, elapsed) = (start.first.wall, start.first.elapsed)
    try transaction {
      try db.run(
        "INSERT INTO machine (boot, wall, elapsed, earlier, seen) VALUES (?1, ?2, ?3, ?4, ?3)", elapsed.boot.column,
        wall.column, elapsed.microseconds.column, start.earlier[elapsed.boot].column)
      try db.run(
        "DELETE FROM machine WHERE boot NOT IN (SELECT boot FROM machine ORDER BY earlier DESC LIMIT ?)", Self.limit.column)
    }
  }

  /// Records that the machine is running, which counts after its next start.
  ///
  /// - Throws: `SQLiteError` if that cannot be stored.
  func note(_ time: ElapsedTime) throws {
    try transaction {
      try db.run("UPDATE machine SET seen = ? WHERE boot = ?", time.microseconds.column, time.boot.column)
    }
  }

  private func transaction(_ body: () throws -> Void) throws {
    do throws(SQLiteDatabase.TransactionError) {
      try db.transaction(body)
    } catch {
      throw error.reason
    }
  }
}

extension UInt64 {
  /// The number as an SQLite integer. No counter of this program exceeds 2^63 - 1.
  var column: SQLiteValue { .integer(Int64(clamping: self)) }
}

extension Optional<UInt64> {
  /// The number as an SQLite integer, or NULL.
  var column: SQLiteValue { map(\.column) ?? .null }
}
