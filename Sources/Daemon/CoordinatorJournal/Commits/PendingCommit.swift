import CoordinatorKit

/// A transition that waits to be stored.
struct PendingCommit: Sendable {
  /// What becomes of it.
  typealias Completion = @Sendable (Result<Void, JournalError>) -> Void

  /// The tree's id.
  let tree: UInt64
  /// Whether it ends the tree, which makes room.
  var isEnd = false
  /// Encodes what changed; takes its time.
  let encode: @Sendable () throws -> Step
  let completion: Completion

  /// What is to be written.
  enum Step: Sendable {
    case start(StoredRoot, StoredChange)
    case change(StoredChange)
    case endOfHeld(StoredRoot, StoredChange)
  }
}
