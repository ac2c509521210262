import DBus

/// Which flow trees browsers get to see.
public enum Scope: Sendable {
  /// All of them, and they may start flows.
  case everything
  /// This one alone.
  case tree(ObjectPath)
  /// The runs of this flow, one after the other.
  case flow(ServedFlow)

  /// The only tree that may be seen; nil if all may be.
  var tree: ObjectPath? {
    switch self {
    case .everything: nil
    case .tree(let tree): tree
    case .flow(let flow): flow.tree
    }
  }

  /// Whether a tree may be seen.
  func allows(_ tree: ObjectPath) -> Bool {
    self.tree.map { $0 == tree } ?? true
  }
}
