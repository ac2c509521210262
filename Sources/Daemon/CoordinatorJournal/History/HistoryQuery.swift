import CoordinatorKit
import SQLite

/// What is asked of a history: the newest entries that fit.
public struct HistoryQuery: Sendable, Hashable {
  /// A coordinator, meant with all that is below it; nil for everything.
  public var path: CoordinatorPath?
  /// Nothing that was begun before this time, in microseconds since 1970.
  public var since: UInt64
  /// Nothing up to this number.
  public var after: UInt64
  /// How many entries at most.
  public var limit: Int

  /// Puts a query together.
  public init(path: CoordinatorPath? = nil, since: UInt64 = 0, after: UInt64 = 0, limit: Int = .max) {
    self.path = path
    self.since = since
    self.after = after
    self.limit = limit
  }

  /// The entries that fit, oldest first.
  func entries(in db: SQLiteDatabase) throws -> [HistoryEntry] {
    var conditions = ["id > ?", "time >= ?"]
    var arguments = [after.column, since.column]
    if let path {
      conditions.append("root = ?")
      arguments.append(.text(String(path.root)))
      if path.parent != nil {
        // What is below begins with the path and a slash; 0 is the character after the slash.
        conditions.append("(coordinator = ? OR (coordinator > ? AND coordinator < ?))")
        arguments += [.text(path.text), .text("\(path.text)/"), .text("\(path.text)0")]
      }
    }
    let sql = """
      SELECT \(HistoryEntry.columns) FROM history WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?
      """
    return try db.rows(sql, arguments + [.integer(Int64(clamping: limit))]) { try HistoryEntry($0) }.reversed()
  }
}
