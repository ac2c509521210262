import CoordinatorKit
import Foundation
import GRDB

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

  /// Reads what fits.
  ///
  /// - Parameter query: what to look for.
  /// - Returns: the newest entries that fit.
  /// - Throws: ``JournalError/noJournal(file:reason:)`` if there is none that may be read; ``JournalError/newer(file:)``;
  ///   ``JournalError/database(_:)``.
  public func page(_ query: HistoryQuery = HistoryQuery()) throws(JournalError) -> Page {
    guard access(file, R_OK) == 0 else { throw .noJournal(file: file, reason: SystemError().description) }
    do {
      var options = Configuration()
      options.readonly = true
      options.busyMode = .timeout(5)
      options.label = "history"
      return try DatabaseQueue(path: address, configuration: options).read { try page(query, in: $0) }
    } catch {
      throw JournalError(error)
    }
  }

  private func page(_ query: HistoryQuery, in db: Database) throws -> Page {
    // A daemon that has just made the file has not come further yet.
    guard try db.tableExists("history") else { return Page(entries: [], lastNumber: 0) }
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == JournalSchema.applicationID else {
      throw JournalError.noJournal(file: file, reason: "it is another program's database")
    }
    guard try !JournalSchema.migrator.hasBeenSuperseded(db) else { throw JournalError.newer(file: file) }
    let last = try db.rows("SELECT max(id) FROM history").first?.optionalNumber(0) ?? 0
    return Page(entries: try query.entries(in: db), lastNumber: last)
  }

  /// Without a log nobody writes, and SQLite would make one only to read; told that nothing changes, it makes none.
  private var address: String {
    guard access("\(file)-wal", F_OK) != 0 else { return file }
    let path = file.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "/-_."))) ?? file
    return "file:\(path)?immutable=1"
  }
}
