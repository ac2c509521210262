import DBus

/// The flow trees that browsers may see.
public enum Scope: Sendable {
  /// All flow trees; browsers may also start flows.
  case everything
  /// A single flow tree.
  case tree(ObjectPath)
  /// The successive runs of a flow.
  case flow(ServedFlow)

  /// The only tree that browsers may see; nil if they may see all.
  var tree: ObjectPath? {
    switch self {
    case .everything: nil
    case .tree(let tree): tree
    case .flow(let flow): flow.tree
    }
  }

  /// Whether browsers may see a tree.
  func allows(_ tree: ObjectPath) -> Bool {
    self.tree.map { $0 == tree } ?? true
  }
}
