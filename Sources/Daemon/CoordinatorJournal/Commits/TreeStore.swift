import CoordinatorKit

/// Stores the transitions of one tree that has been stored. Small enough to need no memory of its own as `any TransitionStore`.
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

/// Stores the transitions of one tree that is being started, the first one with how it was asked for.
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
  /// Adds a transition, and waits until it is durable. Does not return if nobody can tell whether it is: see ``JournalError/inDoubt(_:)``.
  ///
  /// - Parameters:
  ///   - tree: the tree's id.
  ///   - isEnd: whether it ends the tree.
  ///   - encode: what is to be written; called on the thread of the database.
  /// - Throws: ``JournalError``; nothing was stored then.
  func store(
    _ tree: UInt64, isEnd: Bool = false, encode: @escaping @Sendable () throws -> PendingCommit.Step
  ) async throws(JournalError) {
    // Not a checked one: what is in doubt is never answered, and the process ends.
    try await withUnsafeContinuation { continuation in
      add(PendingCommit(tree: tree, isEnd: isEnd, encode: encode) { continuation.resume(returning: $0) })
    }.get()
  }
}
