import Locking
import SQLite
import Threads

/// The database of a journal, on a thread of its own: the disk keeps nobody waiting who does not ask for it.
actor JournalDatabase {
  nonisolated let thread = SerialThread(name: "journal")
  /// Tells, once, that nobody can say what is on the disk.
  nonisolated let breakdowns: AsyncStream<JournalError>

  private let directory: StateDirectory
  private let configuration: JournalConfiguration
  private let notify: @Sendable (JournalNotice) -> Void
  private let breakdown: AsyncStream<JournalError>.Continuation
  private var writer: CommitWriter
  /// Nil when it is closed.
  private var db: SQLiteDatabase?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Opens the database of a directory, or makes one, on the thread of the caller.
  ///
  /// - Parameters:
  ///   - configuration: where and how.
  ///   - notify: hears of what an admin should know, from any thread.
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

  /// Does something with the database.
  ///
  /// - Throws: ``JournalError/closed``; what `body` throws.
  func perform<Result: Sendable>(_ body: @Sendable (SQLiteDatabase) throws -> Result) throws -> Result {
    guard let db else { throw JournalError.closed }
    return try body(db)
  }

  /// Stores transitions, and tells each what has become of it.
  ///
  /// - Returns: why nothing can be stored any more; nil if all is well.
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

  /// Which trees there are, once it is known that the database is whole. One that is not is moved aside.
  ///
  /// - Throws: ``JournalError``, `SQLiteError`.
  func roots() throws -> StoredRoots {
    let file = JournalFile(directory: directory, sync: configuration.sync, notify: notify)
    var doubts = ReadingDoubts()
    while true {
      do {
        return try checkedRoots()
      } catch {
        // A disk that has read wrongly, or not at all, may read rightly the next time, when nothing is used of what was read before.
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

  /// Brings everything into the database, closes it, and lets another daemon have the directory.
  func close() {
    // What is not brought in is in the log, where the next start finds it.
    try? db?.checkpoint()
    db = nil
    breakdown.finish()
    directory.release()
  }
}
