import SQLite

/// Writes batches of transitions, each batch with one commit if that can be.
struct CommitWriter {
  /// Transitions of which nobody can tell whether they are on the disk. They must not be answered.
  struct InDoubt: Error {
    /// What went wrong.
    let reason: JournalError
  }

  private typealias Encoded = (commit: PendingCommit, step: PendingCommit.Step)

  private let configuration: JournalConfiguration
  private var reserve: SpaceReserve
  private var fullDisk = FullDisk()

  init(_ configuration: JournalConfiguration, _ reserve: SpaceReserve) {
    self.configuration = configuration
    self.reserve = reserve
  }

  /// Stores transitions, and tells each what has become of it.
  ///
  /// - Throws: ``InDoubt``. Then those that are in doubt, and those behind them, were told nothing.
  mutating func write(_ batch: [PendingCommit], in db: SQLiteDatabase) throws(InDoubt) {
    let encoded = encode(admitted(batch))
    guard !encoded.isEmpty else { return }
    let result = try commit(encoded, in: db)
    guard encoded.count > 1, case .failure(let error) = result else {
      for one in encoded { one.commit.completion(result) }
      return
    }
    for one in encoded {
      one.commit.completion(isWorthAnotherTry(one.commit, after: error) ? try commit([one], in: db) : result)
    }
  }

  /// One transition that cannot be stored must not be the end of those that happened to come with it. Only what holds for all of them is
  /// not found out for each.
  private func isWorthAnotherTry(_ commit: PendingCommit, after error: JournalError) -> Bool {
    switch error {
    case .busy: false
    case .full: commit.isEnd
    default: true
    }
  }

  /// Refuses at once what a full disk has just refused.
  private func admitted(_ batch: [PendingCommit]) -> [PendingCommit] {
    guard fullDisk.isKnown else { return batch }
    let now = ContinuousClock.now
    return batch.filter { commit in
      if fullDisk.admits(isEnd: commit.isEnd, at: now) { return true }
      commit.completion(.failure(.full("it was full a moment ago")))
      return false
    }
  }

  private func encode(_ batch: [PendingCommit]) -> [Encoded] {
    batch.compactMap { commit in
      do {
        return (commit, try commit.encode())
      } catch {
        commit.completion(.failure(.cannotEncode(String(describing: error))))
        return nil
      }
    }
  }

  // MARK: One commit

  private mutating func commit(_ encoded: [Encoded], in db: SQLiteDatabase) throws(InDoubt) -> Result<Void, JournalError> {
    let isEnd = encoded.allSatisfy(\.commit.isEnd)
    var result = try attempt(encoded, in: db)
    if case .failure(.full) = result {
      fullDisk.noRoom()
      // What is in the database already is room in the log.
      if (try? db.bringIn()) != nil { result = try attempt(encoded, in: db) }
      // Whoever wants to make room by ending flows must be able to.
      if case .failure(.full) = result, isEnd, reserve.release() { result = try attempt(encoded, in: db) }
    }
    if case .success = result, !isEnd || !fullDisk.isKnown {
      fullDisk.hasRoom()
      reserve.fill()
    }
    return result
  }

  private func attempt(_ encoded: [Encoded], in db: SQLiteDatabase) throws(InDoubt) -> Result<Void, JournalError> {
    let writer = TreeWriter(db: db, limits: configuration)
    do {
      try db.transaction {
        for (commit, step) in encoded {
          switch step {
          case .start(let root, let change): try writer.start(root, change)
          case .change(let change): try writer.apply(change, to: commit.tree)
          case .endOfHeld(let root, let change): try writer.end(root, change)
          }
        }
      }
      return .success(())
    } catch {
      let reason = JournalError(error.reason)
      if error.isInDoubt { try makeVoid(in: db, after: reason) }
      return .failure(reason)
    }
  }

  /// Makes sure that a commit which has failed does not come back with the next start, as it would if all of it had reached the log: SQLite
  /// has gone back to before it, so that another commit is written over its beginning, and without that the rest is not read.
  private func makeVoid(in db: SQLiteDatabase, after reason: JournalError) throws(InDoubt) {
    do {
      try db.transaction {
        try db.run(
          "INSERT INTO counter (name, value) VALUES ('voided', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1")
      }
    } catch {
      throw InDoubt(reason: reason)
    }
  }
}
