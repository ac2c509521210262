import CoordinatorKit

/// Stores the transitions of a tree that is already stored. Small enough to fit into `any TransitionStore` without a
/// heap allocation.
struct TreeStore: TransitionStore {
  let commits: CommitQueue
  let tree: UInt64
  let catalogue: FlowCatalogue

  func commit(_ publication: Publication) async throws {
    try await commits.store(tree, isEnd: !publication.state.isAlive) { [catalogue] in
      .change(try publication.change(in: catalogue))
    }
  }
}

/// Stores the transitions of a tree that is being started, the first one along with the root's data.
struct NewTreeStore: TransitionStore {
  let commits: CommitQueue
  let root: StoredRoot
  let catalogue: FlowCatalogue

  func commit(_ publication: Publication) async throws {
    try await commits.store(root.sequence, isEnd: !publication.state.isAlive && !publication.isStart) { [root, catalogue] in
      let change = try publication.change(in: catalogue)
      return change.isStart ? .start(root, change) : .change(change)
    }
  }
}

extension CommitQueue {
  /// Enqueues a transition and waits until it is durable. Never returns if its fate is unknown; see
  /// ``JournalError/inDoubt(_:)``.
  ///
  /// - Parameters:
  ///   - tree: the id of the tree.
  ///   - isEnd: whether the transition ends the tree.
  ///   - encode: a closure that returns what is to be written, called on the database's thread.
  /// - Throws: ``JournalError``; nothing has been stored then.
  func store(
    _ tree: UInt64, isEnd: Bool = false, encode: @escaping @Sendable () throws -> PendingCommit.Step
  ) async throws(JournalError) {
    // Unsafe because it may never be resumed: a transition in doubt is never answered, and the process ends.
    try await withUnsafeContinuation { continuation in
      add(PendingCommit(tree: tree, isEnd: isEnd, encode: encode) { continuation.resume(returning: $0) })
    }.get()
  }
}
