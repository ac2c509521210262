import CoordinatorKit

/// Stores the transitions of one tree that has been stored. Small enough to need no memory of its own as `any TransitionStore`.
struct TreeStore: TransitionStore {
  let commits: CommitQueue
  let tree: UInt64
  let catalogue: FlowCatalogue

  func commit(_ publication: Publication) async throws {
    try await commits.store(tree) { [catalogue] in .change(try publication.change(in: catalogue)) }
  }
}

/// Stores the transitions of one tree that is being started, the first one with how it was asked for.
struct NewTreeStore: TransitionStore {
  let commits: CommitQueue
  let root: StoredRoot
  let catalogue: FlowCatalogue

  func commit(_ publication: Publication) async throws {
    try await commits.store(root.sequence) { [root, catalogue] in
      let change = try publication.change(in: catalogue)
      return change.isStart ? .start(root, change) : .change(change)
    }
  }
}

extension CommitQueue {
  /// Adds a transition, and waits until it is durable.
  ///
  /// - Parameters:
  ///   - tree: the tree's id.
  ///   - encode: what is to be written; called on the thread of the database.
  /// - Throws: ``JournalError``.
  func store(_ tree: UInt64, encode: @escaping @Sendable () throws -> PendingCommit.Step) async throws(JournalError) {
    try await withCheckedContinuation { continuation in
      add(PendingCommit(tree: tree, encode: encode) { continuation.resume(returning: $0) })
    }.get()
  }
}
