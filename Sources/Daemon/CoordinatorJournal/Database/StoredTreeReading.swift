import CoordinatorKit

/// The result of reading a live tree.
public enum StoredTreeReading: Sendable, Hashable {
  /// The whole tree.
  case whole(StoredTree)
  /// A tree of which some rows contain values that a journal never writes: the part that could be read, and why the
  /// rest could not.
  case damaged(TreeOutline, reason: String)
}
