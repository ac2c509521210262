import Glibc
import SQLite

/// Opens the database file of a journal, and replaces one that is unusable.
struct JournalFile {
  let directory: StateDirectory
  let sync: JournalConfiguration.Sync
  /// Called at once when a file has been moved: a later start finds only the new file, and no trace of the reason.
  let notify: @Sendable (JournalNotice) -> Void

  private var path: String { directory.file(Journal.fileName) }

  /// Opens the database, or creates it. A database that belongs to another program, or whose damage is found at once, is moved
  /// aside first.
  ///
  /// Checking the whole database takes longer; see ``JournalCheck``.
  ///
  /// - Parameter reserve: the reserved disk space, which is released if there is no room to open the database.
  /// - Returns: the database, with the tables of this version.
  /// - Throws: ``JournalError``. Nothing has been moved then, except a damaged database whose replacement could not be opened.
  func open(_ reserve: inout SpaceReserve) throws(JournalError) -> SQLiteDatabase {
    var doubts = ReadingDoubts()
    while true {
      do {
        return try openOnce()
      } catch let error as SQLiteError where error.kind == .full && reserve.release() {
        continue
      } catch {
        switch doubts.verdict(on: error) {
        case .readAgain: DatabaseFile.forgetRead(path)
        case .fail: throw cannotOpen(error)
        case .damaged(let unusable): return try replace(unusable)
        }
      }
    }
  }

  /// Replaces a closed database with a new one. The new one is created first, so that nothing is moved if there is no
  /// room for it.
  ///
  /// - Parameter unusable: the reason why the old database is unusable.
  /// - Returns: the new, empty database.
  /// - Throws: ``JournalError``.
  func replace(_ unusable: DatabaseFile.Unusable) throws(JournalError) -> SQLiteDatabase {
    do {
      try make()
    } catch {
      throw .cannotReplace(file: path, damage: unusable.reason, reason: String(describing: error))
    }
    let aside = try directory.moveAside(path)
    notify(.movedAside(file: path, to: aside, reason: unusable.reason))
    do {
      try putInPlace()
      return try openPrepared(path, sync)
    } catch {
      throw cannotOpen(error)
    }
  }

  /// Makes the next read of the database, which must be closed, come from the disk.
  func forgetRead() { DatabaseFile.forgetRead(path) }

  private func cannotOpen(_ error: any Error) -> JournalError {
    error as? JournalError ?? .cannotOpen(file: path, reason: String(describing: error))
  }

  private func openOnce() throws -> SQLiteDatabase {
    if DatabaseFile.exists(path) {
      // A previous start may have been interrupted between creating a new database and moving it into place.
      try DatabaseFile.remove(new)
      try DatabaseFile.prepare(path)
    } else {
      try leaveNoLogAlone()
      try make()
      try putInPlace()
    }
    return try openPrepared(path, sync)
  }

  // MARK: Creating

  private var new: String { path + ".new" }

  /// Creates a database beside its final path, so that a power cut leaves either the whole database there or none.
  private func make() throws {
    do {
      try DatabaseFile.remove(new)
      try DatabaseFile.create(new)
      // No process reads it before it is in place, so it only must be on the disk as a whole.
      let db = try openPrepared(new, .off)
      try setSynchronous(.full, db)
      try db.checkpoint()
    } catch {
      try? DatabaseFile.remove(new)
      throw error
    }
  }

  private func putInPlace() throws(SystemError) {
    // The database contains everything, and its log is empty.
    for companion in DatabaseFile.companions { unlink(new + companion) }
    try SystemError.check(rename(new, path))
    directory.sync()
  }

  /// Moves aside a log whose database is gone, because SQLite would discard it when it creates a new database.
  private func leaveNoLogAlone() throws(JournalError) {
    guard !DatabaseFile.exists(path), DatabaseFile.hasContents(path + "-wal") else { return }
    let aside = try directory.moveAside(path)
    notify(.movedAside(file: path + "-wal", to: aside + "-wal", reason: "its database is missing"))
  }

  private func openPrepared(_ file: String, _ sync: JournalConfiguration.Sync) throws -> SQLiteDatabase {
    do throws(any Error) {
      let db = try SQLiteDatabase(path: file)
      // Nothing is changed before the database is known to be a journal.
      try checkOwner(db)
      guard try !JournalSchema.isNewer(db) else { throw JournalError.newer(file: file) }
      try setUp(db, sync)
      try db.requireWritable()
      try JournalSchema.migrate(db)
      try JournalSchema.extend(db)
      return db
    } catch let error as SQLiteError where error.meansDamage {
      throw DatabaseFile.Unusable(reason: error.description)
    } catch let error as SQLiteRow.Unexpected {
      throw DatabaseFile.Unusable(reason: error.description)
    }
  }

  /// Checks that a database is empty or a journal.
  private func checkOwner(_ db: SQLiteDatabase) throws {
    guard try db.number("SELECT count(*) FROM sqlite_master") ?? 0 > 0 else { return }
    guard try db.number("PRAGMA application_id") == JournalSchema.applicationID else {
      throw DatabaseFile.Unusable(reason: "it is another program's database")
    }
  }

  private func setSynchronous(_ sync: JournalConfiguration.Sync, _ db: SQLiteDatabase) throws {
    try db.execute("PRAGMA synchronous = \(sync.rawValue)")
  }

  private func setUp(_ db: SQLiteDatabase, _ sync: JournalConfiguration.Sync) throws {
    try setSynchronous(sync, db)
    // This has no effect on a database that has pages already.
    try db.execute("PRAGMA page_size = \(JournalSchema.pageSize)")
    guard try db.text("PRAGMA journal_mode = WAL") == "wal" else {
      throw SystemError("the file system does not support a write-ahead log")
    }
    // In KiB, because negative. Little is read, and written pages are not needed again.
    try db.execute("PRAGMA cache_size = -512")
    // A log that has grown beyond this size is truncated to it when it is reused.
    try db.execute("PRAGMA journal_size_limit = \(Self.logSize)")
    let pages = Self.logSize / Int(try db.number("PRAGMA page_size") ?? 4_096)
    _ = try db.number("PRAGMA wal_autocheckpoint = \(pages)")
    // Temporary files might find no room on the disk.
    try db.execute("PRAGMA temp_store = memory")
  }

  /// The size at which the log is checkpointed into the database, in bytes.
  private static let logSize = 4 << 20
}
