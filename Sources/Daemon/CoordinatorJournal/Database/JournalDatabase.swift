import Platform
import SQLite

/// The database of a journal, isolated to a thread of its own, so that only its callers wait for the disk.
actor JournalDatabase {
  nonisolated let thread = SerialThread(name: "journal")
  /// Emits once, when it has become unknown what is on the disk.
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
