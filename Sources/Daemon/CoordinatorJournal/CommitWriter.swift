import SQLite

/// Writes batches of transitions, if possible with one commit per batch.
struct CommitWriter {
  /// An error that says that it is unknown whether some transitions are on the disk. They must not be answered.
  struct InDoubt: Error {
    /// The underlying error.
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

  /// Stores transitions and calls the completion of each.
  ///
  /// - Throws: ``InDoubt``. The completions of the transitions in doubt, and of those after them, are not called then.
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

  /// Returns whether a transition should be stored on its own after its batch failed. A transition that cannot be
  /// stored must not affect others that happened to arrive with it; conditions that affect all of them are not checked
  /// again for each.
  private func isWorthAnotherTry(_ commit: PendingCommit, after error: JournalError) -> Bool {
    switch error {
    case .busy: false
    case .full: commit.isEnd
    default: true
    }
  }

  /// Refuses transitions at once if the disk was full a moment ago.
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
      // A checkpoint frees the room that the log takes up.
      if (try? db.bringIn()) != nil { result = try attempt(encoded, in: db) }
      // Users must be able to make room by ending flows.
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
          case .forget(let token): try writer.forget(token)
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

  /// Makes sure that a failed commit does not reappear at the next start, as it would if all of it had reached the log.
  ///
  /// SQLite has reset the log to the position before the failed commit, so another commit overwrites its beginning,
  /// without which the rest is not read.
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
