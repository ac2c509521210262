import GRDB
import Locking

/// Makes the transitions of all trees durable, many with one commit: what comes while one commit is under way goes into the next.
///
/// The work is done on the thread of the database; whoever adds never waits for the disk.
final class CommitQueue: Sendable {
  private struct State {
    var pending: [PendingCommit] = []
    var isDraining = false
  }

  private let state = Lock(State())
  private let database: DatabaseQueue
  private let configuration: JournalConfiguration

  init(_ database: DatabaseQueue, _ configuration: JournalConfiguration) {
    self.database = database
    self.configuration = configuration
  }

  /// Adds a transition, whose completion is called from the thread of the database when it is durable, or cannot be made so.
  func add(_ commit: PendingCommit) {
    let isFirst = state.withLock { state in
      state.pending.append(commit)
      defer { state.isDraining = true }
      return !state.isDraining
    }
    if isFirst { database.asyncWriteWithoutTransaction { self.drain($0) } }
  }

  private func drain(_ db: Database) {
    while let batch = take() { store(batch, in: db) }
  }

  private func take() -> [PendingCommit]? {
    state.withLock { state in
      guard !state.pending.isEmpty else {
        state.isDraining = false
        return nil
      }
      defer { state.pending = [] }
      return state.pending
    }
  }

  private typealias Encoded = (commit: PendingCommit, step: PendingCommit.Step)

  private func store(_ batch: [PendingCommit], in db: Database) {
    var encoded: [Encoded] = []
    for commit in batch {
      do {
        encoded.append((commit, try commit.encode()))
      } catch {
        commit.completion(.failure(.cannotEncode(String(describing: error))))
      }
    }
    let result = write(encoded, in: db)
    // One transition that cannot be stored must not be the end of those that happened to come with it.
    if case .failure = result, encoded.count > 1 {
      for one in encoded { one.commit.completion(write([one], in: db)) }
    } else {
      for one in encoded { one.commit.completion(result) }
    }
  }

  private func write(_ encoded: [Encoded], in db: Database) -> Result<Void, JournalError> {
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
