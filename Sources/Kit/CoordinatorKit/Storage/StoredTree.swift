/// A flow tree as a store keeps it: all that is needed to go on from there, and nothing that can be computed.
///
/// What screens show is not in it: they are functions of their coordinators' states (rule 4). What is encoded is JSON.
public struct StoredTree: Sendable, Hashable {
  /// The numbers of a tree.
  public struct Counters: Sendable, Hashable {
    /// See ``TreeState/revision``.
    public var revision: UInt64
    /// The highest id that a screen had.
    public var lastScreen: UInt64
    /// The highest number that a piece of work had.
    public var lastWork: UInt64

    /// Puts counters together.
    public init(revision: UInt64, lastScreen: UInt64, lastWork: UInt64) {
      self.revision = revision
      self.lastScreen = lastScreen
      self.lastWork = lastWork
    }
  }

  /// The path of the root coordinator.
  public var root: CoordinatorPath
  /// Its numbers.
  public var counters: Counters
  /// The coordinators that live, in any order.
  public var coordinators: [StoredCoordinator]
  /// The screens of the window, in any order.
  public var screens: [StoredScreen]
  /// How children that ended did, in the order in which they ended: the newest ``OutcomeLedger/capacity``.
  public var outcomes: [StoredOutcome]
  /// The answers that are kept, in any order.
  public var requests: [StoredRequest]

  /// Puts a stored tree together.
  public init(
    root: CoordinatorPath, counters: Counters, coordinators: [StoredCoordinator] = [], screens: [StoredScreen] = [],
    outcomes: [StoredOutcome] = [], requests: [StoredRequest] = []
  ) {
    self.root = root
    self.counters = counters
    self.coordinators = coordinators
    self.screens = screens
    self.outcomes = outcomes
    self.requests = requests
  }
}

/// How a coordinator ended, as a store keeps it.
public struct StoredOutcome: Sendable, Hashable {
  /// Where it stood.
  public var path: CoordinatorPath
  /// How it ended.
  public var outcome: Outcome

  /// Puts a stored outcome together.
  public init(path: CoordinatorPath, outcome: Outcome) {
    self.path = path
    self.outcome = outcome
  }
}

/// A live coordinator as a store keeps it.
public struct StoredCoordinator: Sendable, Hashable {
  /// Where it stands.
  public var path: CoordinatorPath
  /// The name of its flow.
  public var flow: String
  /// The version of the flow that encoded the rest.
  public var version: Int
  /// What it was started with, encoded.
  public var input: String
  /// How it puts up its screens.
  public var router: RouterKind
  /// Microseconds since 1970.
  public var startedAt: UInt64
  /// The highest number that a child was named by.
  public var lastChild: UInt64
  /// What it knows, encoded.
  public var state: String
  /// The work that it has started and not heard of.
  public var work: [StoredWork]

  /// Puts a stored coordinator together.
  public init(
    path: CoordinatorPath, flow: String, version: Int, input: String, router: RouterKind, startedAt: UInt64, lastChild: UInt64,
    state: String, work: [StoredWork]
  ) {
    self.path = path
    self.flow = flow
    self.version = version
    self.input = input
    self.router = router
    self.startedAt = startedAt
    self.lastChild = lastChild
    self.state = state
    self.work = work
  }
}

/// A piece of work as a store keeps it. Its secrets are not kept.
public struct StoredWork: Sendable, Hashable, Codable {
  /// Its number in the tree.
  public var number: UInt64
  /// The coordinator's description of it, encoded.
  public var work: String
  /// The screen that shows its progress.
  public var screen: ScreenID?
  /// Whether it was started with a secret, and so cannot be done again.
  public var tookSecrets: Bool
}

/// A screen in its place, as a store keeps it.
public struct StoredScreen: Sendable, Hashable {
  /// Its number in the tree.
  public var id: ScreenID
  /// Whose it is.
  public var coordinator: CoordinatorPath
  /// What it is made from, encoded.
  public var route: String
  /// See ``ShownScreen/style``.
  public var style: ShownScreen.Style
  /// See ``ShownScreen/layer``.
  public var layer: UInt32
  /// See ``ShownScreen/attached``.
  public var attached: [ScreenMessage]
  /// See ``ShownScreen/draft``.
  public var draft: [String: JSONValue]
  /// See ``ShownScreen/changedAt``.
  public var changedAt: UInt64

  /// Puts a stored screen together.
  public init(
    id: ScreenID, coordinator: CoordinatorPath, route: String, style: ShownScreen.Style, layer: UInt32, attached: [ScreenMessage],
    draft: [String: JSONValue] = [:], changedAt: UInt64
  ) {
    self.id = id
    self.coordinator = coordinator
    self.route = route
    self.style = style
    self.layer = layer
    self.attached = attached
    self.draft = draft
    self.changedAt = changedAt
  }
}

/// An answer that is kept under a request key.
public struct StoredRequest: Sendable, Hashable {
  /// The client's key.
  public var key: String
  /// Which one it is in its tree, in the order in which they came.
  public var number: UInt64
  /// What was asked, as a digest, and what was answered; encoded.
  public var entry: String

  /// Puts a stored request together.
  public init(key: String, number: UInt64, entry: String) {
    self.key = key
    self.number = number
    self.entry = entry
  }
}
