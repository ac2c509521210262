import GRDB
import Locking

/// Makes the transitions of all trees durable, many with one commit: what comes while one commit is under way goes into the next.
///
/// The work is done on the thread of the database; whoever adds never waits for the disk.
final class CommitQueue: Sendable {
  fileprivate struct State {
    var pending: [PendingCommit] = []
    /// Whether the thread of the database has been told.
    var isAnnounced = false
    var isClosed = false
  }

  private let state = Lock(State())
  private let database: DatabaseQueue
  /// Held, because the lock on it has to last as long as the database is open.
  private let directory: StateDirectory
  private let configuration: JournalConfiguration

  init(_ database: DatabaseQueue, in directory: StateDirectory, _ configuration: JournalConfiguration) {
    self.database = database
    self.directory = directory
    self.configuration = configuration
  }

  /// Adds a transition, whose completion is called from the thread of the database when it is durable, or cannot be made so.
  func add(_ commit: PendingCommit) {
    let (isClosed, isFirst) = state.withLock { state in
      guard !state.isClosed else { return (true, false) }
      state.pending.append(commit)
      defer { state.isAnnounced = true }
      return (false, !state.isAnnounced)
    }
    if isClosed { commit.completion(.failure(.closed)) }
    if isFirst { announce() }
  }

  /// Whether what comes is refused.
  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Writes what waits, and refuses what comes later. Called on the thread of the database.
  ///
  /// - Returns: whether that was not so before.
  func close(_ db: Database) -> Bool {
    let (isFirst, pending) = state.withLock { state in
      defer { state.isClosed = true }
      return (!state.isClosed, state.takeAll())
    }
    write(pending, in: db)
    return isFirst
  }

  /// One batch a turn, so that whoever reads gets one in between.
  private func announce() {
    database.asyncWriteWithoutTransaction { db in
      self.write(self.state.withLock { $0.takeAll() }, in: db)
      let hasMore = self.state.withLock { state in
        state.isAnnounced = !state.pending.isEmpty
        return state.isAnnounced
      }
      if hasMore { self.announce() }
    }
  }

  private typealias Encoded = (commit: PendingCommit, step: PendingCommit.Step)

  private func write(_ batch: [PendingCommit], in db: Database) {
    var encoded: [Encoded] = []
    for commit in batch {
      do {
        encoded.append((commit, try commit.encode()))
      } catch {
        commit.completion(.failure(.cannotEncode(String(describing: error))))
      }
    }
    guard !encoded.isEmpty else { return }
    let result = commit(encoded, in: db)
    // One transition that cannot be stored must not be the end of those that happened to come with it.
    if case .failure = result, encoded.count > 1 {
      for one in encoded { one.commit.completion(commit([one], in: db)) }
    } else {
      for one in encoded { one.commit.completion(result) }
    }
  }

  private func commit(_ encoded: [Encoded], in db: Database) -> Result<Void, JournalError> {
    let writer = TreeWriter(db: db, limits: configuration)
    do {
      try db.inTransaction(.immediate) {
        for (commit, step) in encoded {
          switch step {
          case .start(let root, let change): try writer.start(root, change)
          case .change(let change): try writer.apply(change, to: commit.tree)
          }
        }
        return .commit
      }
      return .success(())
    } catch {
      return .failure(JournalError(error))
    }
  }
}

extension CommitQueue.State {
  fileprivate mutating func takeAll() -> [PendingCommit] {
    defer { pending = [] }
    return pending
  }
}

extension JournalError {
  /// What the database says, in a line.
  init(_ error: any Error) {
    switch error {
    case let error as JournalError: self = error
    case let error as DatabaseError: self = .database(error.message ?? "SQLite error \(error.extendedResultCode.rawValue)")
    default: self = .database(String(describing: error))
    }
  }
}
