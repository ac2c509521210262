import CoordinatorKit
import Testing

/// A store that rebuilds a tree in memory from changes alone, as every store has to, and compares it with the whole
/// tree after each change.
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
  /// The same tree in an order that does not depend on its past.
  var inOrder: StoredTree {
    var tree = self
    tree.coordinators.sort { $0.path.text < $1.path.text }
    tree.screens.sort { $0.id < $1.id }
    tree.requests.sort { $0.number < $1.number }
    return tree
  }
}
