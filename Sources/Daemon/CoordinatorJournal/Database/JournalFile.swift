import Glibc
import SQLite

/// Opens the file of a journal, and puts another in the place of one that is not usable.
struct JournalFile {
  let directory: StateDirectory
  let sync: JournalConfiguration.Sync
  /// Hears at once of a file that was moved: whoever comes later finds a new one in its place, and no trace of why.
  let notify: @Sendable (JournalNotice) -> Void

  private var path: String { directory.file(Journal.fileName) }

  /// Opens the database, or makes one; one that is another program's, or damaged so that this shows at once, is moved aside first.
  ///
  /// Whether all of it is whole takes its time to tell: see ``JournalCheck``.
  ///
  /// - Parameter reserve: given back to the disk if there is no room to open it.
  /// - Returns: the database, with the tables of this version.
  /// - Throws: ``JournalError``. Nothing was moved then, unless what was moved was damaged and the new one could not be opened.
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

  /// Moves a database aside that is closed, and goes on with a new one, which is made first: where there is no room for it, nothing is
  /// moved.
  ///
  /// - Parameter unusable: what is wrong with the old one.
  /// - Returns: the new one, which is empty.
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

  /// Has the database, which is closed, be read from the disk the next time.
  func forgetRead() { DatabaseFile.forgetRead(path) }

  private func cannotOpen(_ error: any Error) -> JournalError {
    error as? JournalError ?? .cannotOpen(file: path, reason: String(describing: error))
  }

  private func openOnce() throws -> SQLiteDatabase {
    if DatabaseFile.exists(path) {
      // What a start before this one was about to put in its place, and did not.
      try DatabaseFile.remove(new)
      try DatabaseFile.prepare(path)
    } else {
      try leaveNoLogAlone()
      try make()
      try putInPlace()
    }
    return try openPrepared(path, sync)
  }

  // MARK: Making one

  private var new: String { path + ".new" }

  /// Makes a database beside the place where it belongs, so that a power cut leaves the whole of it there or nothing.
  private func make() throws {
    do {
      try DatabaseFile.remove(new)
      try DatabaseFile.create(new)
      try openPrepared(new, .full).checkpoint()
    } catch {
      try? DatabaseFile.remove(new)
      throw error
    }
  }

  private func putInPlace() throws(SystemError) {
    // All is in the database, and its log is empty.
    for companion in DatabaseFile.companions { unlink(new + companion) }
    try SystemError.check(rename(new, path))
    directory.sync()
  }

  /// A log whose database is gone would be thrown away by SQLite when it makes another one.
  private func leaveNoLogAlone() throws(JournalError) {
    guard !DatabaseFile.exists(path), DatabaseFile.hasContents(path + "-wal") else { return }
    let aside = try directory.moveAside(path)
    notify(.movedAside(file: path + "-wal", to: aside + "-wal", reason: "its database is gone"))
  }

  private func openPrepared(_ file: String, _ sync: JournalConfiguration.Sync) throws -> SQLiteDatabase {
    do throws(any Error) {
      let db = try SQLiteDatabase(path: file)
      // Nothing is changed before it is known to be ours.
      try checkOwner(db)
      guard try !JournalSchema.isNewer(db) else { throw JournalError.newer(file: file) }
      try setUp(db, sync)
      try db.requireWritable()
      try JournalSchema.migrate(db)
      return db
    } catch let error as SQLiteError where error.meansDamage {
      throw DatabaseFile.Unusable(reason: error.description)
    } catch let error as SQLiteRow.Unexpected {
      throw DatabaseFile.Unusable(reason: error.description)
    }
  }

  /// Whether a file is ours.
  private func checkOwner(_ db: SQLiteDatabase) throws {
    guard try db.number("SELECT count(*) FROM sqlite_master") ?? 0 > 0 else { return }
    guard try db.number("PRAGMA application_id") == JournalSchema.applicationID else {
      throw DatabaseFile.Unusable(reason: "it is another program's database")
    }
  }

  private func setUp(_ db: SQLiteDatabase, _ sync: JournalConfiguration.Sync) throws {
    // Of no effect on a database that has pages.
    try db.execute("PRAGMA page_size = \(JournalSchema.pageSize)")
    guard try db.text("PRAGMA journal_mode = WAL") == "wal" else {
      throw SystemError("the file system does not do for a write-ahead log")
    }
    try db.execute("PRAGMA synchronous = \(sync.rawValue)")
    // Little is read, and what was written is not needed again; in KiB.
    try db.execute("PRAGMA cache_size = -512")
    // A log that was long once is cut to this size when it begins anew.
    try db.execute("PRAGMA journal_size_limit = \(Self.logSize)")
    let pages = Self.logSize / Int(try db.number("PRAGMA page_size") ?? 4_096)
    _ = try db.number("PRAGMA wal_autocheckpoint = \(pages)")
    // No files beside these, for which there may be no room.
    try db.execute("PRAGMA temp_store = memory")
  }

  /// How long the log gets before it is brought into the database, in bytes.
  private static let logSize = 4 << 20
}
