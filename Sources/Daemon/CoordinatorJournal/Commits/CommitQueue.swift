import Locking

/// Makes the transitions of all trees durable, many with one commit: what comes while one commit is under way goes into the next.
///
/// The work is done on the thread of the database; whoever adds never waits for the disk.
final class CommitQueue: Sendable {
  private struct State {
    var pending: [PendingCommit] = []
    /// Whether the thread of the database has been told.
    var isAnnounced = false
    /// Why nothing more is stored; nil while it is.
    var end: JournalError?
  }

  private let state = Lock(State())
  private let database: JournalDatabase

  init(_ database: JournalDatabase) { self.database = database }

  /// Adds a transition, whose completion is called from the thread of the database when it is durable, or cannot be made so.
  func add(_ commit: PendingCommit) {
    let (end, isFirst) = state.withLock { state in
      guard state.end == nil else { return (state.end, false) }
      state.pending.append(commit)
      defer { state.isAnnounced = true }
      return (nil, !state.isAnnounced)
    }
    if let end { commit.completion(.failure(end)) }
    if isFirst { announce() }
  }

  /// Refuses what comes later. What waits is left to ``takeAll()``.
  ///
  /// - Parameter reason: what to answer.
  func end(_ reason: JournalError) { state.withLock { $0.end = $0.end ?? reason } }

  /// What waits, which does so no longer.
  func takeAll() -> [PendingCommit] {
    state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
  }

  /// One batch a turn, so that whoever reads gets one in between.
  private func announce() {
    database.thread.post { [self] in
      if database.assumeIsolated({ $0.write(takeAll()) }) != nil {
        // What came behind it was never tried.
        end(.closed)
        for commit in takeAll() { commit.completion(.failure(.closed)) }
      }
      let hasMore = state.withLock { state in
        state.isAnnounced = !state.pending.isEmpty
        return state.isAnnounced
      }
      if hasMore { announce() }
    }
  }
}
