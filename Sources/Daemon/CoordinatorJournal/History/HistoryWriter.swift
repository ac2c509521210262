import CoordinatorKit
import SQLite

/// Writes the history, and limits its size.
struct HistoryWriter {
  let db: SQLiteDatabase
  /// The number of entries to keep. Up to ``chunk`` more remain until they are deleted.
  let limit: Int

  /// The number of entries after which excess ones are deleted.
  private static let chunk: Int64 = 256

  func write(_ change: StoredChange) throws {
    let occasion = change.occasion
    guard limit > 0, occasion.kind != .draft, occasion.kind != .workResult else { return }
    let failures = change.failures
    try db.run(
      """
      INSERT INTO history (time, root, kind, coordinator, name, user, sender, revision, outcome, failures)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      change.time.column, .text(String(change.root.root)), .text(occasion.kind.rawValue),
      SQLiteValue(occasion.coordinator?.text), SQLiteValue(occasion.name), SQLiteValue(occasion.caller?.user.map { Int64($0) }),
      SQLiteValue(occasion.caller?.name), change.counters.revision.column, SQLiteValue(change.outcome?.name),
      SQLiteValue(failures.isEmpty ? nil : try StoredText.encode(failures)))
    let last = db.lastInsertedRow
    if last % Self.chunk == 0 { try forget(last) }
  }

  /// Deletes excess entries, for example because the limit has been lowered.
  func forgetOldest() throws {
    if let last = try db.number("SELECT max(id) FROM history") { try forget(Int64(clamping: last)) }
  }

  private func forget(_ last: Int64) throws { try db.run("DELETE FROM history WHERE id <= ?", .integer(last - Int64(limit))) }
}
