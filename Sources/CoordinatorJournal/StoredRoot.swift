import CoordinatorKit

/// What is kept of a root beside its tree: how it was asked for, and how it ended.
public struct StoredRoot: Sendable, Hashable {
  /// The caller that it ends with.
  public struct Owner: Sendable, Hashable {
    /// The caller's unique name.
    public var name: String
    /// The id of the bus that the name is of; another bus has others by the same name.
    public var bus: String

    /// Puts an owner together.
    public init(name: String, bus: String) {
      self.name = name
      self.bus = bus
    }
  }

  /// The root coordinator's name.
  public var name: String
  /// Roots are numbered in the order in which they were started.
  public var sequence: UInt64
  /// The number that the daemon has used up for names by then.
  public var lastNumber: UInt64
  /// The name of its flow.
  public var flow: String
  /// What was asked for, to tell whether the same is asked for again.
  public var digest: Digest
  /// Whether its name is a token that a client gave.
  public var hasToken: Bool
  /// The caller that it ends with; nil if it ends with none.
  public var owner: Owner?
  /// When it is dismissed, in microseconds since 1970; nil for never.
  public var deadline: UInt64?

  /// Puts a root together.
  public init(
    name: String, sequence: UInt64, lastNumber: UInt64, flow: String, digest: Digest, hasToken: Bool, owner: Owner? = nil,
    deadline: UInt64? = nil
  ) {
    self.name = name
    self.sequence = sequence
    self.lastNumber = lastNumber
    self.flow = flow
    self.digest = digest
    self.hasToken = hasToken
    self.owner = owner
    self.deadline = deadline
  }
}

/// A root that has ended, as it is kept.
public struct StoredEnd: Sendable, Hashable {
  /// How it was asked for.
  public var root: StoredRoot
  /// How it ended.
  public var outcome: Outcome
  /// The answers that are kept of it.
  public var requests: [StoredRequest]
}

/// All roots that a journal has, without their trees.
public struct StoredRoots: Sendable, Hashable {
  /// Those that live, in the order in which they were started.
  public var live: [StoredRoot] = []
  /// Those that have ended and are remembered, in the order in which they ended.
  public var ended: [StoredEnd] = []
  /// The highest number that a root was named by.
  public var lastNumber: UInt64 = 0
}
