import CoordinatorKit
import SQLite

/// Writes who did what when, and keeps that from growing without bound.
struct HistoryWriter {
  let db: SQLiteDatabase
  /// How many entries are kept, and a few more.
  let limit: Int

  /// So many entries are forgotten at once.
  private static let chunk: Int64 = 256

  func write(_ change: StoredChange) throws {
    let occasion = change.occasion
    guard limit > 0, occasion.kind != .draft else { return }
    try db.run(
      "INSERT INTO history (time, root, kind, coordinator, name, user, sender, revision, outcome) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      change.time.column, .text(String(change.root.root)), .text(occasion.kind.rawValue),
      SQLiteValue(occasion.coordinator?.text), SQLiteValue(occasion.name), SQLiteValue(occasion.caller?.user.map { Int64($0) }),
      SQLiteValue(occasion.caller?.name), change.counters.revision.column, SQLiteValue(change.outcome?.name))
    let last = db.lastInsertedRow
    if last % Self.chunk == 0 { try forget(last) }
  }

  /// Forgets what is too much, for example because the limit was a higher one.
  func forgetOldest() throws {
    if let last = try db.number("SELECT max(id) FROM history") { try forget(Int64(clamping: last)) }
  }

  private func forget(_ last: Int64) throws { try db.run("DELETE FROM history WHERE id <= ?", .integer(last - Int64(limit))) }
}
