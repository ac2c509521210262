import GRDB
import Glibc

/// Opens the file of a journal.
enum JournalFile {
  /// Opens the database, or makes one; one that is another program's, or damaged so that this shows at once, is moved aside first.
  ///
  /// Whether all of it is whole takes its time to tell: see ``check(_:_:)``.
  static func open(
    in directory: StateDirectory, _ configuration: JournalConfiguration
  ) throws(JournalError) -> (DatabaseQueue, [JournalNotice]) {
    let file = directory.file(Journal.fileName)
    do {
      return (try open(file, configuration), [])
    } catch let unusable as DatabaseFile.Unusable {
      return try replace(unusable, in: directory, configuration)
    } catch let error as JournalError {
      throw error
    } catch {
      throw .cannotOpen(file: file, reason: reason(error))
    }
  }

  /// Moves a database aside that is closed, and makes one.
  static func replace(
    _ unusable: DatabaseFile.Unusable, in directory: StateDirectory, _ configuration: JournalConfiguration
  ) throws(JournalError) -> (DatabaseQueue, [JournalNotice]) {
    let file = directory.file(Journal.fileName)
    let aside = try directory.moveAside(file)
    let notice = JournalNotice.movedAside(file: file, to: aside, reason: unusable.reason)
    do {
      return (try open(file, configuration), [notice])
    } catch {
      throw .cannotOpen(file: file, reason: reason(error))
    }
  }

  /// Checks that a database is whole, before anything of it is relied on or changed, and reads which trees there are. A tree that is
  /// unreadable itself harms no other.
  ///
  /// - Throws: ``DatabaseFile/Unusable`` if it is to be moved aside.
  static func check(_ db: Database, _ configuration: JournalConfiguration) throws -> StoredRoots {
    do {
      let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? ""
      guard verdict == "ok" else { throw DatabaseFile.Unusable(reason: verdict) }
      let roots = try TreeReader(db: db).roots()
      try HistoryWriter(db: db, limit: configuration.maxHistory).forgetOldest()
      return roots
    } catch let error as DatabaseError where error.meansDamage {
      throw DatabaseFile.Unusable(reason: reason(error))
    } catch let error as Row.Unexpected {
      throw DatabaseFile.Unusable(reason: reason(error))
    } catch let error as DecodingError {
      throw DatabaseFile.Unusable(reason: reason(error))
    }
    // Anything else says nothing of the file: that the task was cancelled, for example.
  }

  private static func open(_ file: String, _ configuration: JournalConfiguration) throws -> DatabaseQueue {
    let isNew = try DatabaseFile.prepare(file)
    do {
      return try openPrepared(file, configuration)
    } catch {
      // An empty file that stayed behind would be taken for a damaged one.
      if isNew { unlink(file) }
      throw error
    }
  }

  private static func openPrepared(_ file: String, _ configuration: JournalConfiguration) throws -> DatabaseQueue {
    var options = Configuration()
    options.label = "journal"
    // Whoever reads the history must not keep transitions from being stored.
    options.busyMode = .timeout(5)
    do {
      let database = try DatabaseQueue(path: file, configuration: options)
      let migrator = JournalSchema.migrator
      try database.writeWithoutTransaction { db in
        // Nothing is changed before it is known to be ours.
        try checkOwner(db)
        guard try !migrator.hasBeenSuperseded(db) else { throw JournalError.newer(file: file) }
        try setUp(db, configuration.sync)
      }
      try migrator.migrate(database)
      return database
    } catch let error as DatabaseError where error.meansDamage {
      throw DatabaseFile.Unusable(reason: reason(error))
    }
  }

  /// Whether a file is ours.
  private static func checkOwner(_ db: Database) throws {
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    guard tables > 0 else { return }
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == JournalSchema.applicationID else {
      throw DatabaseFile.Unusable(reason: "it is another program's database")
    }
  }

  /// By hand, because what GRDB offers for WAL sets `synchronous` to NORMAL.
  private static func setUp(_ db: Database, _ sync: JournalConfiguration.Sync) throws {
    let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") ?? "none"
    guard mode == "wal" else { throw SystemError("the file system does not do for a write-ahead log") }
    try db.execute(sql: "PRAGMA synchronous = \(sync.rawValue)")
    // Little is read, and what was written is not needed again; in KiB.
    try db.execute(sql: "PRAGMA cache_size = -512")
    // A log that was long once is cut to this size when it begins anew.
    try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
  }

  private static func reason(_ error: any Error) -> String {
    (error as? DatabaseError).map { $0.message ?? "SQLite error \($0.extendedResultCode.rawValue)" } ?? String(describing: error)
  }
}

extension DatabaseError {
  /// Whether it tells of the file, and not of the disk or of rights. Our statements are right: an error in one means other tables.
  fileprivate var meansDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR].contains(resultCode) }
}
