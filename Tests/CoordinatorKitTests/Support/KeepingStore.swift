import CoordinatorKit
import Testing

/// Keeps a tree in memory, as every store has to: from changes alone. After each it is the same as the tree as a whole.
actor KeepingStore: TransitionStore {
  struct Full: Error {}

  private let catalogue: FlowCatalogue
  private(set) var tree: StoredTree?
  private(set) var occasions: [Occasion] = []
  private(set) var commits = 0
  var isFull = false

  init(_ catalogue: FlowCatalogue) { self.catalogue = catalogue }

  func commit(_ publication: Publication) throws {
    if isFull { throw Full() }
    let change = try publication.change(in: catalogue)
    if change.isStart { tree = StoredTree(startedBy: change) } else { tree?.apply(change) }
    occasions.append(change.occasion)
    commits += 1
    guard change.outcome == nil else { return }
    #expect(try tree?.inOrder == StoredTree(publication.state, in: catalogue).inOrder)
  }

  func setFull(_ isFull: Bool) { self.isFull = isFull }
}

extension StoredTree {
  /// The same, in an order that does not depend on how it came about.
  var inOrder: StoredTree {
    var tree = self
    tree.coordinators.sort { $0.path.text < $1.path.text }
    tree.screens.sort { $0.id < $1.id }
    tree.requests.sort { $0.number < $1.number }
    return tree
  }
}
