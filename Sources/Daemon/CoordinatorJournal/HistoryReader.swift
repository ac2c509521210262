import CoordinatorKit
import Glibc
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
