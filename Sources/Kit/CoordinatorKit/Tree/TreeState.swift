import HashTreeCollections

/// The complete state of a flow tree at one moment, except for the actors that run its flows. A value.
public struct TreeState: Sendable {
  /// The path of the root coordinator.
  public let root: CoordinatorPath
  /// The number of transitions that changed a screen. The start counts as 1.
  public internal(set) var revision: UInt64 = 0
  /// The screens of the tree.
  public internal(set) var window = Window()
  /// The live coordinators, by path. A transition copies the parts of the dictionary that it changes, not the whole.
  public internal(set) var coordinators: TreeDictionary<CoordinatorPath, CoordinatorRecord> = [:]
  /// The outcomes of the coordinators that ended most recently.
  public internal(set) var outcomes = OutcomeLedger()
  /// The answers to the most recent calls with a request key.
  public internal(set) var requests = RequestLedger()

  /// The coordinators that an older version of their flow stored and that have not been stored since: their rows are in
  /// the old form.
  var migrated: Set<CoordinatorPath> = []
  var lastScreen: UInt64 = 0
  var lastWork: UInt64 = 0

  init(root: CoordinatorPath) { self.root = root }

  /// The approximate size of the data from clients, in bytes of memory: the inputs of live coordinators, and drafts.
  package var inputSize: Int {
    coordinators.values.reduce(0) { $0 + $1.inputSize } + window.screens.reduce(0) { $0 + $1.draftSize }
  }

  /// Whether the root coordinator is alive.
  public var isAlive: Bool { coordinators[root] != nil }

  /// The live coordinators, parents before children, and siblings in the order in which they were started.
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

  /// Returns whether a screen with that id was ever presented in this tree.
  public func hasSeen(_ id: ScreenID) -> Bool { id.number >= 1 && id.number <= lastScreen }
}
