import CoordinatorKit

/// What could be read of a live tree.
public enum StoredTreeReading: Sendable, Hashable {
  /// All of it.
  case whole(StoredTree)
  /// Rows of it hold what no journal writes: what is known all the same, and why it is not all.
  case damaged(TreeOutline, reason: String)
}
