import HashTreeCollections

/// All that a flow tree is at one moment, but for the actors that run its flows: a value.
public struct TreeState: Sendable {
  /// The path of the root coordinator.
  public let root: CoordinatorPath
  /// Counts the transitions that changed a screen; starting is 1.
  public internal(set) var revision: UInt64 = 0
  /// What the tree shows.
  public internal(set) var window = Window()
  /// The coordinators that live, by path. A transition copies what it changes of the table, not the table.
  public internal(set) var coordinators: TreeDictionary<CoordinatorPath, CoordinatorRecord> = [:]
  /// How those that ended did: the newest of them.
  public internal(set) var outcomes = OutcomeLedger()
  /// The answers to the newest calls that came with a request key.
  public internal(set) var requests = RequestLedger()

  /// The coordinators that an older version of their flow has stored, and of which nothing was stored since: their rows are in the old form.
  var migrated: Set<CoordinatorPath> = []
  var lastScreen: UInt64 = 0
  var lastWork: UInt64 = 0

  init(root: CoordinatorPath) { self.root = root }

  /// About how many bytes of memory that takes up which clients have brought: the inputs of the live coordinators, and drafts.
  package var inputSize: Int {
    coordinators.values.reduce(0) { $0 + $1.inputSize } + window.screens.reduce(0) { $0 + $1.draftSize }
  }

  /// Whether the root coordinator lives.
  public var isAlive: Bool { coordinators[root] != nil }

  /// The live coordinators, parents before children and siblings in the order in which they were started.
  public var coordinatorsInOrder: [CoordinatorRecord] {
    var result: [CoordinatorRecord] = []
    var waiting = [root]
    while let path = waiting.popLast() {
      guard let record = coordinators[path] else { continue }
      result.append(record)
      waiting.append(contentsOf: record.children.reversed())
    }
    return result
  }

  /// Whether a screen with that id was ever put up in this tree.
  public func hasSeen(_ id: ScreenID) -> Bool { id.number >= 1 && id.number <= lastScreen }
}
