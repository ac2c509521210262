import DBus

/// Which flow trees browsers get to see.
public enum Scope: Sendable, Hashable {
  /// All of them, and they may start flows.
  case everything
  /// This one alone.
  case tree(ObjectPath)

  /// Whether a tree may be seen.
  func allows(_ tree: ObjectPath) -> Bool {
    switch self {
    case .everything: true
    case .tree(let only): tree == only
    }
  }
}
