import CoordinatorKit
import Platform
import SQLite

/// The database of a journal, isolated to a dedicated thread, so that only its callers wait for the disk.
actor JournalDatabase {
  nonisolated let thread = SerialThread(name: "journal")
  /// Emits once, when the contents of the disk have become unknown.
  nonisolated let breakdowns: AsyncStream<JournalError>

  private let directory: StateDirectory
  private let configuration: JournalConfiguration
  private let notify: @Sendable (JournalNotice) -> Void
  private let breakdown: AsyncStream<JournalError>.Continuation
  private var writer: CommitWriter
  /// Nil once the database is closed.
  private var db: SQLiteDatabase?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Opens the database in a directory, or creates it, on the caller's thread.
  ///
  /// - Parameters:
  ///   - configuration: the directory and the settings.
  ///   - notify: called with notices for administrators, on any thread.
  /// - Throws: ``JournalError``.
  init(
    _ configuration: JournalConfiguration, notify: @escaping @Sendable (JournalNotice) -> Void
  ) throws(JournalError) {
    self.configuration = configuration
    self.notify = notify
    directory = try StateDirectory(configuration.directory, holder: configuration.holder)
    var reserve = SpaceReserve(in: directory)
    db = try JournalFile(directory: directory, sync: configuration.sync, notify: notify).open(&reserve)
    reserve.fill()
    writer = CommitWriter(configuration, reserve)
    (breakdowns, breakdown) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Runs `body` with the database.
  ///
  /// - Throws: ``JournalError/closed``, or any error that `body` throws.
  func perform<Result: Sendable>(_ body: @Sendable (SQLiteDatabase) throws -> Result) throws -> Result {
    guard let db else { throw JournalError.closed }
    return try body(db)
  }

  /// Stores transitions and calls the completion of each.
  ///
  /// - Returns: the reason why nothing can be stored any more; nil if storing may continue.
  func write(_ batch: [PendingCommit]) -> JournalError? {
    guard let db else { return refuse(batch, .closed) }
    do throws(CommitWriter.InDoubt) {
      try writer.write(batch, in: db)
      return nil
    } catch {
      let error = JournalError.inDoubt(error.reason.description)
      breakdown.yield(error)
      return error
    }
  }

  private func refuse(_ batch: [PendingCommit], _ error: JournalError) -> JournalError {
    for commit in batch { commit.completion(.failure(error)) }
    return error
  }

  /// Checks the whole database and returns its roots. Moves a damaged database aside.
  ///
  /// - Throws: ``JournalError``, `SQLiteError`.
  func roots() throws -> StoredRoots {
    let file = JournalFile(directory: directory, sync: configuration.sync, notify: notify)
    var doubts = ReadingDoubts()
    while true {
      do {
        return try checkedRoots()
      } catch {
        // A disk that has returned wrong data, or none, may return the right data next time, provided that no cached
        // data is used.
        db = nil
        switch doubts.verdict(on: error) {
        case .readAgain:
          file.forgetRead()
          var reserve = SpaceReserve(in: directory)
          db = try file.open(&reserve)
        case .fail: throw error
        case .damaged(let unusable):
          db = try file.replace(unusable)
          return StoredRoots()
        }
      }
    }
  }

  private func checkedRoots() throws -> StoredRoots {
    guard let db else { throw JournalError.closed }
    return try JournalCheck(maxHistory: configuration.maxHistory, notify: notify).roots(db)
  }

  /// Checkpoints and closes the database, and releases the directory for another daemon.
  func close() {
    // If the checkpoint fails, the changes stay in the log, where the next start finds them.
    try? db?.checkpoint()
    db = nil
    breakdown.finish()
    directory.release()
  }
}

/// Decides what an error in opening or reading a database means. Damage is believed only if it is found twice in a row,
/// each time reading from the beginning; a disk failure, only if it occurs twice.
///
/// A value type without side effects.
struct ReadingDoubts {
  /// The reaction to an error.
  enum Verdict {
    /// Reopen the file and read again.
    case readAgain
    /// Report the error, and leave the file as it is.
    case fail
    /// Move the file aside.
    case damaged(DatabaseFile.Unusable)
  }

  private var foundDamaged = 0
  private var failed = 0

  /// Decides on an error in opening or reading.
  mutating func verdict(on error: any Error) -> Verdict {
    switch error {
    case let unusable as DatabaseFile.Unusable:
      foundDamaged += 1
      return foundDamaged < 2 ? .readAgain : .damaged(unusable)
    case let error as SQLiteError where error.kind == .unavailable || error.kind == .readOnly:
      foundDamaged = 0
      failed += 1
      return failed < 2 ? .readAgain : .fail
    default: return .fail
    }
  }
}

/// Checks that a database is intact, before any of its data is used or changed.
struct JournalCheck {
  /// The number of transitions that the history keeps.
  let maxHistory: Int
  /// Called for rows that belong to no tree.
  let notify: @Sendable (JournalNotice) -> Void

  /// Checks every page, and reads the roots. A row with an unexpected value affects only its own tree.
  ///
  /// - Throws: ``DatabaseFile/Unusable`` if the database is damaged; `SQLiteError` if it cannot be read now.
  func roots(_ db: SQLiteDatabase) throws -> StoredRoots {
    do {
      if let verdict = try Self.verdict(db) { throw DatabaseFile.Unusable(reason: verdict) }
      let reader = TreeReader(db: db)
      let (roots, strays) = try reader.roots()
      for stray in strays { notify(.strayRow(stray)) }
      // On a full disk this must wait.
      try? HistoryWriter(db: db, limit: maxHistory).forgetOldest()
      return roots
    } catch let error as SQLiteError where error.meansDamage {
      throw DatabaseFile.Unusable(reason: error.description)
    }
  }

  /// Returns the first problem that SQLite finds in the database; nil if it is intact.
  ///
  /// - Throws: `SQLiteError`, also if SQLite reports as a problem that it could not read a page, because that is not a sign of
  ///   damage.
  static func verdict(_ db: SQLiteDatabase) throws -> String? {
    guard let verdict = try db.text("PRAGMA quick_check(1)"), verdict != "ok" else { return nil }
    if let code = errorCode(in: verdict), !SQLiteError(code: code).meansDamage {
      throw SQLiteError(code: code, message: verdict)
    }
    return verdict
  }

  /// Returns the result code in a message about a page that could not be read: "unable to get the page. error
  /// code=8458".
  static func errorCode(in verdict: String) -> Int32? {
    verdict.bytes.cut(at: "error code=").flatMap { Int32(Substring($0.after.utf8.prefix(while: \.isASCIIDigit))) }
  }
}

extension SQLiteError {
  /// Whether the error means that the file is damaged, as opposed to a problem with the disk or with permissions. The
  /// statements of this program are correct, so an error in one means that the tables are different.
  var meansDamage: Bool { kind == .damaged || kind == .otherTables }
}

/// Writes the history, and limits its size.
struct HistoryWriter {
  let db: SQLiteDatabase
  /// The number of entries to keep. Up to ``chunk`` more remain until they are deleted.
  let limit: Int

  /// The number of entries after which excess ones are deleted.
  private static let chunk: Int64 = 256

  func write(_ change: StoredChange) throws {
    let occasion = change.occasion
    guard limit > 0, occasion.kind.isInHistory else { return }
    let failures = change.failures
    try db.run(
      """
      INSERT INTO history (time, root, kind, coordinator, name, user, sender, revision, outcome, failures, way)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      change.time.column, .text(String(change.root.root)), .text(occasion.kind.rawValue),
      SQLiteValue(occasion.coordinator?.text), SQLiteValue(occasion.name), SQLiteValue(occasion.caller?.user.map { Int64($0) }),
      SQLiteValue(occasion.caller?.name), change.counters.revision.column, SQLiteValue(change.outcome?.name),
      SQLiteValue(failures.isEmpty ? nil : try StoredText.encode(failures)), SQLiteValue(occasion.caller?.way))
    let last = db.lastInsertedRow
    if last % Self.chunk == 0 { try forget(last) }
  }

  /// Deletes excess entries, for example because the limit has been lowered.
  func forgetOldest() throws {
    if let last = try db.number("SELECT max(id) FROM history") { try forget(Int64(clamping: last)) }
  }

  private func forget(_ last: Int64) throws { try db.run("DELETE FROM history WHERE id <= ?", .integer(last - Int64(limit))) }
}
