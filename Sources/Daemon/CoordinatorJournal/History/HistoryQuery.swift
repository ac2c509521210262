import CoordinatorKit
import SQLite

/// A query for the newest entries of a history that match its conditions.
public struct HistoryQuery: Sendable, Hashable {
  /// The coordinator whose entries match, along with those of its descendants; nil for all. For a root, every entry of
  /// its tree matches.
  public var path: CoordinatorPath?
  /// The earliest time at which a matching transition began, in microseconds since 1970.
  public var since: UInt64
  /// The number that matching entries must exceed.
  public var after: UInt64
  /// The maximum number of entries.
  public var limit: Int
  /// The names or kinds of matching events; empty for all.
  public var events: Set<String> = []
  /// Whether work that has ended matches.
  public var hasWork = true

  /// Creates a query. By default, every entry matches.
  public init(path: CoordinatorPath? = nil, since: UInt64 = 0, after: UInt64 = 0, limit: Int = .max) {
    self.path = path
    self.since = since
    self.after = after
    self.limit = limit
  }

  /// Returns the matching entries, oldest first.
  func entries(in db: SQLiteDatabase) throws -> [HistoryEntry] {
    var conditions = ["id > ?", "time >= ?"]
    var arguments = [after.column, since.column]
    if let path {
      conditions.append("root = ?")
      arguments.append(.text(String(path.root)))
      if path.parent != nil {
        // Paths of descendants begin with the path and a slash; "0" is the character after "/".
        conditions.append("(coordinator = ? OR (coordinator > ? AND coordinator < ?))")
        arguments += [.text(path.text), .text("\(path.text)/"), .text("\(path.text)0")]
      }
    }
    if !events.isEmpty {
      let places = Array(repeating: "?", count: events.count).joined(separator: ", ")
      conditions.append("(name IN (\(places)) OR kind IN (\(places)))")
      let names = events.sorted().map { SQLiteValue.text($0) }
      arguments += names + names
    }
    if !hasWork { conditions.append("kind <> '\(Occasion.Kind.work.rawValue)'") }
    let hasFailures = try JournalSchema.hasColumn(JournalSchema.failuresColumn, of: "history", in: db)
    let sql = """
      SELECT \(HistoryEntry.columns(hasFailures: hasFailures)) FROM history WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?
      """
    return try db.rows(sql, arguments + [.integer(Int64(clamping: limit))]) { try HistoryEntry($0) }.reversed()
  }
}
