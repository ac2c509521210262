import Platform

/// A queue of transitions to be made durable, many with one commit: those that arrive during a commit go into the next
/// one.
///
/// The database's thread does the writing; adding a transition never waits for the disk. Safe to use from any thread.
final class CommitQueue: Sendable {
  private struct State {
    var pending: [PendingCommit] = []
    /// Whether the database's thread has been asked to write.
    var isAnnounced = false
    /// The reason why nothing more is stored; nil while the queue is open.
    var end: JournalError?
  }

  private let state = Lock(State())
  private let database: JournalDatabase

  init(_ database: JournalDatabase) { self.database = database }

  /// Enqueues a transition. Its completion is called, on the database's thread, once it is durable or has failed; on
  /// the caller's thread if the queue has ended.
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

  /// Makes the queue refuse transitions from now on. Pending ones remain for ``takeAll()``.
  ///
  /// - Parameter reason: the error for refused transitions.
  func end(_ reason: JournalError) { state.withLock { $0.end = $0.end ?? reason } }

  /// Removes and returns the pending transitions.
  func takeAll() -> [PendingCommit] {
    state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
  }

  /// Writes one batch per turn of the thread, so that reads get their turn in between.
  private func announce() {
    database.thread.post { [self] in
      if database.assumeIsolated({ $0.write(takeAll()) }) != nil {
        // The transitions behind it were never attempted.
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
