/// The data that must have been restored after a restart before a call can be answered.
enum RestorationNeed: Sendable, Hashable {
  case nothing
  /// The names of all roots, and those that have ended.
  case names
  /// One tree.
  case root(String)
  /// All trees.
  case everything
}
