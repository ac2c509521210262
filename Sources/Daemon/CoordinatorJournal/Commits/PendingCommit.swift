import CoordinatorKit

/// A transition that waits to be stored.
struct PendingCommit: Sendable {
  /// A closure that receives the result.
  typealias Completion = @Sendable (Result<Void, JournalError>) -> Void

  /// The id of the tree.
  let tree: UInt64
  /// Whether the transition ends the tree, which frees room on the disk.
  var isEnd = false
  /// Encodes the change, which is expensive.
  let encode: @Sendable () throws -> Step
  let completion: Completion

  /// The rows to write.
  enum Step: Sendable {
    case start(StoredRoot, StoredChange)
    case change(StoredChange)
    case endOfHeld(StoredRoot, StoredChange)
    /// Forget how the flow of a token has ended.
    case forget(token: String)
  }
}
