import CoordinatorKit

/// The stored data of a root beside its tree: how it was requested, and what ends it.
public struct StoredRoot: Sendable, Hashable {
  /// The caller whose departure ends a root.
  public struct Owner: Sendable, Hashable {
    /// The caller's unique name on the bus.
    public var name: String
    /// The id of the bus. Another bus may have the same unique name.
    public var bus: String

    /// Creates an owner.
    public init(name: String, bus: String) {
      self.name = name
      self.bus = bus
    }
  }

  /// The name of the root coordinator.
  public var name: String
  /// The number of the root. Roots are numbered in the order in which they were started.
  public var sequence: UInt64
  /// The highest number that the daemon had used for a name when the root was started.
  public var lastNumber: UInt64
  /// The name of the root's flow.
  public var flow: String
  /// A digest of the request, which tells whether a later request is the same.
  public var digest: Digest
  /// Whether the root's name is a token that a client gave.
  public var hasToken: Bool
  /// The caller whose departure ends the root; nil for none.
  public var owner: Owner?
  /// When the root is dismissed; nil for never.
  package var timeout: FlowTimeout?

  /// Creates the data of a root.
  package init(
    name: String, sequence: UInt64, lastNumber: UInt64, flow: String, digest: Digest, hasToken: Bool, owner: Owner? = nil,
    timeout: FlowTimeout? = nil
  ) {
    self.name = name
    self.sequence = sequence
    self.lastNumber = lastNumber
    self.flow = flow
    self.digest = digest
    self.hasToken = hasToken
    self.owner = owner
    self.timeout = timeout
  }
}

/// The stored data of an ended root.
public struct StoredEnd: Sendable, Hashable {
  /// How the root was requested.
  public var root: StoredRoot
  /// The outcome.
  public var outcome: Outcome
  /// The stored answers to requests.
  public var requests: [StoredRequest]
}

/// A root whose own row contains values that a journal never writes. The row is not changed until the root is ended.
public struct DamagedRoot: Sendable, Hashable {
  /// The name of the root coordinator.
  public var name: String
  /// The number of the root. Roots are numbered in the order in which they were started.
  public var sequence: UInt64
  /// The name of the root's flow; "" if it cannot be read.
  public var flow: String
  /// Whether the root's name is a token that a client gave; true if that cannot be read.
  public var hasToken: Bool
  /// A description of what cannot be read.
  public var reason: String

  /// Creates a damaged root.
  public init(name: String, sequence: UInt64, flow: String, hasToken: Bool, reason: String) {
    self.name = name
    self.sequence = sequence
    self.flow = flow
    self.hasToken = hasToken
    self.reason = reason
  }
}

extension DamagedRoot {
  /// The data that is stored when the root ends. No later request equals its request, which is not known.
  public var asEnded: StoredRoot {
    StoredRoot(name: name, sequence: sequence, lastNumber: 0, flow: flow, digest: Digest(of: "", "damaged"), hasToken: hasToken)
  }
}

/// All roots of a journal, without their trees.
public struct StoredRoots: Sendable, Hashable {
  /// The live roots, in the order in which they were started.
  public var live: [StoredRoot] = []
  /// The ended roots that are remembered, in the order in which they ended.
  public var ended: [StoredEnd] = []
  /// The roots that cannot be read, so that it is unknown whether they live or how they ended; in the order in which
  /// they were started.
  public var damaged: [DamagedRoot] = []
  /// The highest number that has been used for a name.
  public var lastNumber: UInt64 = 0
  /// The highest number of a root, including those that cannot be read.
  public var lastSequence: UInt64 = 0

  /// Creates a set of roots.
  public init(live: [StoredRoot] = [], ended: [StoredEnd] = [], damaged: [DamagedRoot] = [], lastNumber: UInt64 = 0) {
    self.live = live
    self.ended = ended
    self.damaged = damaged
    self.lastNumber = lastNumber
  }
}
