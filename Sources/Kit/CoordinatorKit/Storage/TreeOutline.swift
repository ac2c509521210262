/// What is known of a stored tree that cannot be taken up: enough to show that it is there, and to answer again what was answered.
public struct TreeOutline: Sendable, Hashable {
  /// A live coordinator, without anything that only its flow can decode.
  public struct Coordinator: Sendable, Hashable {
    /// Where it stands.
    public var path: CoordinatorPath
    /// The name of its flow.
    public var flow: String
    /// Microseconds since 1970.
    public var startedAt: UInt64

    /// Puts an outline together.
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
  /// The coordinators that live, as far as they can be read, in any order.
  public var coordinators: [Coordinator]
  /// How children that ended did, as far as that can be read.
  public var outcomes: [CoordinatorPath: Outcome]
  /// The answers that are kept, as far as they can be read, in any order.
  public var requests: [StoredRequest]

  /// Puts an outline together.
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
  /// What is left to know of the tree if its flows cannot decode it.
  public var outline: TreeOutline {
    TreeOutline(
      root: root, revision: counters.revision,
      coordinators: coordinators.map { TreeOutline.Coordinator(path: $0.path, flow: $0.flow, startedAt: $0.startedAt) },
      outcomes: Dictionary(outcomes.map { ($0.path, $0.outcome) }, uniquingKeysWith: { $1 }), requests: requests)
  }
}
