import DBus

/// The flow trees that browsers may see.
public enum Scope: Sendable {
  /// All flow trees; browsers may also start flows.
  case everything
  /// The flow that a link offers, and then only its tree.
  case offer(OfferedFlow)
  /// A single flow tree.
  case tree(ObjectPath)
  /// The successive runs of a flow.
  case flow(ServedFlow)

  /// The only tree that browsers may see; nil if they may see all.
  var tree: ObjectPath? {
    switch self {
    case .everything: nil
    case .offer(let offered): offered.tree
    case .tree(let tree): tree
    case .flow(let flow): flow.tree
    }
  }

  /// Whether browsers see a single flow instead of the list of all.
  var isForOneFlow: Bool { if case .everything = self { false } else { true } }

  /// Returns whether browsers may see a tree.
  func allows(_ tree: ObjectPath) -> Bool {
    if case .everything = self { true } else { self.tree == tree }
  }
}
