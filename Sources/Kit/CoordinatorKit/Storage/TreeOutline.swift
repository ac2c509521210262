/// What is known of a stored tree that cannot be restored: enough to show that it exists, and to repeat kept answers.
public struct TreeOutline: Sendable, Hashable {
  /// A live coordinator, without anything that only its flow can decode.
  public struct Coordinator: Sendable, Hashable {
    /// The path of the coordinator.
    public var path: CoordinatorPath
    /// The name of its flow.
    public var flow: String
    /// The time at which it was started, in microseconds since 1970.
    public var startedAt: UInt64

    /// Creates the outline of a coordinator from its parts.
    public init(path: CoordinatorPath, flow: String, startedAt: UInt64) {
      self.path = path
      self.flow = flow
      self.startedAt = startedAt
    }
  }

  /// The path of the root coordinator.
  public var root: CoordinatorPath
  /// See ``TreeState/revision``; 0 if it cannot be read.
  public var revision: UInt64
  /// The live coordinators, as far as they can be read, in any order.
  public var coordinators: [Coordinator]
  /// The outcomes of children that ended, as far as they can be read.
  public var outcomes: [CoordinatorPath: Outcome]
  /// The kept answers, as far as they can be read, in any order.
  public var requests: [StoredRequest]

  /// Creates an outline from its parts.
  public init(
    root: CoordinatorPath, revision: UInt64 = 0, coordinators: [Coordinator] = [],
    outcomes: [CoordinatorPath: Outcome] = [:], requests: [StoredRequest] = []
  ) {
    self.root = root
    self.revision = revision
    self.coordinators = coordinators
    self.outcomes = outcomes
    self.requests = requests
  }
}

extension StoredTree {
  /// The part of the tree that is readable without its flows.
  public var outline: TreeOutline {
    TreeOutline(
      root: root, revision: counters.revision,
      coordinators: coordinators.map { TreeOutline.Coordinator(path: $0.path, flow: $0.flow, startedAt: $0.startedAt) },
      outcomes: Dictionary(outcomes.map { ($0.path, $0.outcome) }, uniquingKeysWith: { $1 }), requests: requests)
  }
}
