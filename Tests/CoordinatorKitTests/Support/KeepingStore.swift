import CoordinatorKit
import TestFlows
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
