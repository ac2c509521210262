import CoordinatorKit

extension StoredTree {
  /// The same tree in an order that does not depend on its past, for comparisons.
  public var inOrder: StoredTree {
    var tree = self
    tree.coordinators.sort { $0.path.text < $1.path.text }
    tree.screens.sort { $0.id < $1.id }
    tree.requests.sort { $0.number < $1.number }
    return tree
  }
}
