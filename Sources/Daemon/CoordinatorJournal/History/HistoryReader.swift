import CoordinatorKit
import Glibc
import SQLite

/// Reads the history of a journal, also while a daemon uses it: nothing is locked, changed or created.
///
/// The database is opened anew each time, so that it may come, go, and be replaced meanwhile.
public struct HistoryReader: Sendable {
  /// What there is at a moment.
  public struct Page: Sendable, Hashable {
    /// What was asked for, oldest first.
    public var entries: [HistoryEntry]
    /// The number of the newest entry, whether it was asked for or not; 0 if there is none.
    public var lastNumber: UInt64
  }

  private let file: String

  /// A reader of the journal in a directory, which need not exist yet.
  public init(directory: String) { file = StateDirectory.absolute(directory) + "/" + Journal.fileName }

  /// Whether there is a journal in a directory that may be read.
  public static func isThere(in directory: String) -> Bool { access(HistoryReader(directory: directory).file, R_OK) == 0 }

  /// Reads what fits.
  ///
  /// - Parameter query: what to look for.
  /// - Returns: the newest entries that fit.
  /// - Throws: ``JournalError/noJournal(file:reason:)`` if there is none that may be read; ``JournalError/newer(file:)``;
  ///   ``JournalError/database(_:)``.
  public func page(_ query: HistoryQuery = HistoryQuery()) throws(JournalError) -> Page {
    guard access(file, R_OK) == 0 else { throw .noJournal(file: file, reason: SystemError().description) }
    do {
      while true {
        let before = try stamp()
        let db = try SQLiteDatabase(path: file, before.hasLog ? .readOnly : .immutable)
        let found = try db.snapshot { try page(query, in: db) }
        // Without a log nobody writes, and SQLite would make one only to read; told that nothing changes, it makes none. A daemon that has
        // started meanwhile makes that untrue, and what was read worthless.
        if try before.hasLog || stamp() == before { return found }
      }
    } catch {
      throw JournalError(error)
    }
  }

  private func page(_ query: HistoryQuery, in db: SQLiteDatabase) throws -> Page {
    // A daemon that has just made the file has not come further yet.
    guard try JournalSchema.hasTable("history", in: db) else { return Page(entries: [], lastNumber: 0) }
    guard try db.number("PRAGMA application_id") == JournalSchema.applicationID else {
      throw JournalError.noJournal(file: file, reason: "it is another program's database")
    }
    guard try !JournalSchema.isNewer(db) else { throw JournalError.newer(file: file) }
    let last = try db.number("SELECT max(id) FROM history") ?? 0
    return Page(entries: try query.entries(in: db), lastNumber: last)
  }

  /// What tells whether a daemon has begun to write.
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
