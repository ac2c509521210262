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

/// A root whose own row holds what no journal writes. Nothing of it is changed before it is ended.
public struct DamagedRoot: Sendable, Hashable {
  /// The root coordinator's name.
  public var name: String
  /// Roots are numbered in the order in which they were started.
  public var sequence: UInt64
  /// The name of its flow; "" if it cannot be read.
  public var flow: String
  /// Whether its name is a token that a client gave.
  public var hasToken: Bool
  /// What cannot be read.
  public var reason: String

  /// Puts a root together.
  public init(name: String, sequence: UInt64, flow: String, hasToken: Bool, reason: String) {
    self.name = name
    self.sequence = sequence
    self.flow = flow
    self.hasToken = hasToken
    self.reason = reason
  }
}

extension DamagedRoot {
  /// What is kept of it from its end on. Nobody can ask for the same again, since what was asked for is not known.
  public var asEnded: StoredRoot {
    StoredRoot(name: name, sequence: sequence, lastNumber: 0, flow: flow, digest: Digest(of: "", "damaged"), hasToken: hasToken)
  }
}

/// All roots that a journal has, without their trees.
public struct StoredRoots: Sendable, Hashable {
  /// Those that live, in the order in which they were started.
  public var live: [StoredRoot] = []
  /// Those that have ended and are remembered, in the order in which they ended.
  public var ended: [StoredEnd] = []
  /// Those that cannot be told whether they live or how they ended, in the order in which they were started.
  public var damaged: [DamagedRoot] = []
  /// The highest number that a root was named by.
  public var lastNumber: UInt64 = 0
  /// The highest number that a root has, also one that cannot be read.
  public var lastSequence: UInt64 = 0

  /// Puts roots together.
  public init(live: [StoredRoot] = [], ended: [StoredEnd] = [], damaged: [DamagedRoot] = [], lastNumber: UInt64 = 0) {
    self.live = live
    self.ended = ended
    self.damaged = damaged
    self.lastNumber = lastNumber
  }
}
