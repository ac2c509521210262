import GRDB

/// Opens the file of a journal.
enum JournalFile {
  /// Opens the database, or makes one; one that is damaged or not ours is moved aside first.
  static func open(
    in directory: StateDirectory, _ configuration: JournalConfiguration
  ) throws(JournalError) -> (DatabaseQueue, [JournalNotice]) {
    let file = directory.file(Journal.fileName)
    do {
      return (try open(file, configuration), [])
    } catch let unusable as Unusable {
      let aside = try directory.moveAside(file)
      let notice = JournalNotice.movedAside(file: file, to: aside, reason: unusable.reason)
      do {
        return (try open(file, configuration), [notice])
      } catch {
        throw .cannotOpen(file: file, reason: reason(error))
      }
    } catch let error as JournalError {
      throw error
    } catch {
      throw .cannotOpen(file: file, reason: reason(error))
    }
  }

  /// Why a database cannot be gone on with.
  private struct Unusable: Error { let reason: String }

  private static func open(_ file: String, _ configuration: JournalConfiguration) throws -> DatabaseQueue {
    var options = Configuration()
    options.journalMode = .wal
    options.label = "journal"
    // Whoever reads the history must not keep transitions from being stored.
    options.busyMode = .timeout(5)
    options.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = \(configuration.sync.rawValue)")
      // A log that was long once is cut to this size when it begins anew.
      try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
    }
    do {
      let database = try DatabaseQueue(path: file, configuration: options)
      try database.read { try check($0) }
      let migrator = JournalSchema.migrator
      guard try !database.read({ try migrator.hasBeenSuperseded($0) }) else { throw JournalError.newer(file: file) }
      try migrator.migrate(database)
      return database
    } catch let error as DatabaseError where error.meansDamage {
      throw Unusable(reason: reason(error))
    }
  }

  /// Whether a file is ours and whole.
  private static func check(_ db: Database) throws {
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    guard tables > 0 else { return }
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == JournalSchema.applicationID else {
      throw Unusable(reason: "it is another program's database")
    }
    let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? ""
    guard verdict == "ok" else { throw Unusable(reason: verdict) }
  }

  private static func reason(_ error: any Error) -> String {
    (error as? DatabaseError).map { $0.message ?? "SQLite error \($0.extendedResultCode.rawValue)" } ?? String(describing: error)
  }
}

extension DatabaseError {
  /// Whether it tells of the file, and not of the disk or of rights.
  fileprivate var meansDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT].contains(resultCode) }
}
