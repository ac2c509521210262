import CoordinatorKit
import Glibc
import Platform
import SQLite

/// Reads the history of a journal, even while a daemon uses it. Nothing is locked, changed or created.
///
/// The database is opened for each read, so that it may appear, disappear, or be replaced between reads.
public struct HistoryReader: Sendable {
  /// The result of reading a history.
  public struct Page: Sendable, Hashable {
    /// The matching entries, oldest first.
    public var entries: [HistoryEntry]
    /// The number of the newest entry, whether it matches or not; 0 if the history is empty.
    public var lastNumber: UInt64
  }

  private let file: String

  /// Creates a reader for the journal in a directory, which need not exist yet.
  public init(directory: String) { file = StateDirectory.absolute(directory) + "/" + Journal.fileName }

  /// Returns whether a directory contains a journal that this process may read.
  public static func isThere(in directory: String) -> Bool { access(HistoryReader(directory: directory).file, R_OK) == 0 }

  /// Reads the newest entries that match a query.
  ///
  /// - Parameter query: the query.
  /// - Returns: the matching entries.
  /// - Throws: ``JournalError/noJournal(file:reason:)`` if there is no readable journal; ``JournalError/newer(file:)``;
  ///   ``JournalError/database(_:)`` and other errors if reading fails.
  public func page(_ query: HistoryQuery = HistoryQuery()) throws(JournalError) -> Page {
    guard access(file, R_OK) == 0 else { throw .noJournal(file: file, reason: SystemError().description) }
    do {
      while true {
        let before = try stamp()
        let db = try SQLiteDatabase(path: file, before.hasLog ? .readOnly : .immutable)
        let found = try db.snapshot { try page(query, in: db) }
        // Without a log, no daemon is writing, and SQLite would create one just to read. The immutable mode avoids
        // that, but its result is invalid if a daemon has started meanwhile.
        if try before.hasLog || stamp() == before { return found }
      }
    } catch {
      throw JournalError(error)
    }
  }

  private func page(_ query: HistoryQuery, in db: SQLiteDatabase) throws -> Page {
    // A daemon that has just created the file may not have created its tables yet.
    guard try JournalSchema.hasTable("history", in: db) else { return Page(entries: [], lastNumber: 0) }
    guard try db.number("PRAGMA application_id") == JournalSchema.applicationID else {
      throw JournalError.noJournal(file: file, reason: "it is another program's database")
    }
    guard try !JournalSchema.isNewer(db) else { throw JournalError.newer(file: file) }
    let last = try db.number("SELECT max(id) FROM history") ?? 0
    return Page(entries: try query.entries(in: db), lastNumber: last)
  }

  /// The state of the database file, compared to detect that a daemon has begun to write.
  private struct Stamp: Equatable {
    var hasLog: Bool
    var inode: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int
  }

  private func stamp() throws(SystemError) -> Stamp {
    var info = stat()
    try SystemError.check(stat(file, &info))
    return Stamp(
      hasLog: DatabaseFile.exists("\(file)-wal"), inode: UInt64(info.st_ino), size: Int64(info.st_size),
      seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec)
  }
}

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
    let sql = """
      SELECT \(try HistoryEntry.columns(in: db)) FROM history WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?
      """
    return try db.rows(sql, arguments + [.integer(Int64(clamping: limit))]) { try HistoryEntry($0) }.reversed()
  }
}

/// A stored transition: its caller and the way in which its call came, its event and its time, and the failures in it. It contains no user input, unless an author
/// has included some in a failure.
public struct HistoryEntry: Sendable, Hashable {
  /// The number of the transition. The transitions of a journal are numbered in the order in which they were stored.
  public var number: UInt64
  /// When the transition began, in microseconds since 1970.
  public var time: UInt64
  /// The path of the root coordinator.
  public var root: CoordinatorPath
  /// The event or other occasion that caused the transition.
  public var occasion: Occasion
  /// The revision of the tree after the transition.
  public var revision: UInt64
  /// The outcome if the transition ended the tree: `finished`, `cancelled` or `failed`; nil if the tree remained alive.
  public var outcome: String?
  /// The failures, in order.
  public var failures: [HistoryFailure]

  /// Creates an entry.
  public init(
    number: UInt64, time: UInt64, root: CoordinatorPath, occasion: Occasion, revision: UInt64, outcome: String? = nil,
    failures: [HistoryFailure] = []
  ) {
    self.number = number
    self.time = time
    self.root = root
    self.occasion = occasion
    self.revision = revision
    self.outcome = outcome
    self.failures = failures
  }
}

extension HistoryEntry {
  /// Returns the columns of a row from which an entry is created.
  ///
  /// - Parameter db: the database, whose table may lack the columns that were added later.
  /// - Returns: the columns, as a query names them.
  /// - Throws: `SQLiteError`.
  static func columns(in db: SQLiteDatabase) throws -> String {
    var columns = ["id", "time", "root", "kind", "coordinator", "name", "user", "sender", "revision", "outcome"]
    for added in [JournalSchema.failuresColumn, JournalSchema.wayColumn] {
      columns.append(try JournalSchema.hasColumn(added, of: "history", in: db) ? added : "NULL")
    }
    return columns.joined(separator: ", ")
  }

  init(_ row: borrowing SQLiteRow) throws {
    let user = try row.optionalNumber(6).flatMap { UInt32(exactly: $0) }
    let way = try row.optionalText(11)
    let caller = try row.optionalText(7).map { Caller(user: user, name: $0, way: way) }
    self.init(
      number: try row.number(0), time: try row.number(1), root: CoordinatorPath(root: try row.text(2)),
      occasion: Occasion(
        try row.raw(Occasion.Kind.self, 3),
        coordinator: try row.optionalText(4).flatMap { CoordinatorPath(names: $0.bytes.split(separator: "/")) },
        name: try row.optionalText(5), caller: caller),
      revision: try row.number(8), outcome: try row.optionalText(9),
      failures: try row.optionalText(10).map { try StoredText.decode([HistoryFailure].self, from: $0) } ?? [])
  }
}

/// A failure in a stored transition: of a coordinator, which it has ended, or of a part without which the coordinator
/// continues, such as a piece of its work.
///
/// The reason may have any length, and the log contains all of it; a long one is truncated here with a mark.
public struct HistoryFailure: Sendable, Hashable, Codable {
  /// The path of the coordinator.
  public var coordinator: String
  /// The name of its flow; nil if the coordinator continues.
  public var flow: String?
  /// The stable code of the failure.
  public var code: String
  /// The reason, in the words of the author. Contains no secret.
  public var reason: String

  /// Creates an entry for a failure.
  public init(_ failure: Failure, of coordinator: CoordinatorPath, flow: String? = nil) {
    self.coordinator = coordinator.text
    self.flow = flow
    code = failure.code
    reason = FailureMessage.fitting(failure.message)
  }
}

extension StoredChange {
  /// The failures.
  var failures: [HistoryFailure] {
    let within = failure.map { HistoryFailure($0, of: occasion.coordinator ?? root) }
    return [within].compactMap(\.self)
      + ended.compactMap { child in
        guard case .failed(let failure) = child.outcome else { return nil }
        return HistoryFailure(failure, of: child.path, flow: child.flow)
      }
  }
}
