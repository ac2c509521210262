/// A flow tree in stored form: everything that is needed to continue it, and nothing that can be computed.
///
/// The content of screens is not included, because screens are functions of their coordinators' states (rule 4).
/// Encoded values are JSON.
public struct StoredTree: Sendable, Hashable {
  /// The counters of a tree.
  public struct Counters: Sendable, Hashable {
    /// See ``TreeState/revision``.
    public var revision: UInt64
    /// The highest id of a screen so far.
    public var lastScreen: UInt64
    /// The highest number of a piece of work so far.
    public var lastWork: UInt64

    /// Creates counters from their parts.
    public init(revision: UInt64, lastScreen: UInt64, lastWork: UInt64) {
      self.revision = revision
      self.lastScreen = lastScreen
      self.lastWork = lastWork
    }
  }

  /// The path of the root coordinator.
  public var root: CoordinatorPath
  /// The counters of the tree.
  public var counters: Counters
  /// The live coordinators, in any order.
  public var coordinators: [StoredCoordinator]
  /// The screens of the window, in any order.
  public var screens: [StoredScreen]
  /// The outcomes of children that ended, in the order in which they ended: the most recent ``OutcomeLedger/capacity``.
  public var outcomes: [StoredOutcome]
  /// The kept answers, in any order.
  public var requests: [StoredRequest]

  /// Creates a stored tree from its parts.
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

/// The outcome of a coordinator in stored form.
public struct StoredOutcome: Sendable, Hashable {
  /// The path of the coordinator.
  public var path: CoordinatorPath
  /// The outcome.
  public var outcome: Outcome

  /// Creates a stored outcome from its parts.
  public init(path: CoordinatorPath, outcome: Outcome) {
    self.path = path
    self.outcome = outcome
  }
}

/// A live coordinator in stored form.
public struct StoredCoordinator: Sendable, Hashable {
  /// The path of the coordinator.
  public var path: CoordinatorPath
  /// The name of its flow.
  public var flow: String
  /// The version of the flow that encoded the other values.
  public var version: Int
  /// The encoded input that it was started with.
  public var input: String
  /// The router that determines how it presents its screens.
  public var router: RouterKind
  /// The time at which it was started, in microseconds since 1970.
  public var startedAt: UInt64
  /// The highest number in the name of a child so far.
  public var lastChild: UInt64
  /// The encoded state.
  public var state: String
  /// The work that it has started and whose result it has not yet received.
  public var work: [StoredWork]
  /// The parts besides its state and its work; nil if there are none.
  public var belongings: StoredBelongings?

  /// Creates a stored coordinator from its parts.
  public init(
    path: CoordinatorPath, flow: String, version: Int, input: String, router: RouterKind, startedAt: UInt64, lastChild: UInt64,
    state: String, work: [StoredWork], belongings: StoredBelongings? = nil
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
    self.belongings = belongings
  }
}

/// A piece of work in stored form. Its secrets are not stored.
public struct StoredWork: Sendable, Hashable, Codable {
  /// The number of the work in its tree.
  public var number: UInt64
  /// The coordinator's encoded description of the work.
  public var work: String
  /// The key of the work in its coordinator.
  public var key: WorkKey?
  /// The screen that shows its progress.
  public var screen: ScreenID?
  /// Whether it was started with secrets and therefore cannot be performed again.
  public var tookSecrets: Bool
  /// The end of the work, if another process performed it and the coordinator has not handled it yet.
  public var result: StoredWorkResult?
  /// The number of attempts that another process may have begun; nil for the first.
  public var attempts: UInt32?
}

/// The end of a piece of work that another process has performed, in stored form.
public struct StoredWorkResult: Sendable, Hashable, Codable {
  /// The provider's return value; nil if the work failed.
  public var value: String?
  /// The type of the error, if the work failed.
  public var type: String?
  /// The message of the error.
  public var message: String?

  init(_ end: ProvidedWork.End) {
    switch end {
    case .done(let value): self.value = value
    case .failed(let trouble): (type, message) = (trouble.type, trouble.message)
    }
  }

  /// The end.
  var end: ProvidedWork.End {
    if let value { return .done(value) }
    return .failed(ProvidedWork.Trouble(type: type ?? "", message: message ?? ""))
  }
}

/// A screen in its place, in stored form.
public struct StoredScreen: Sendable, Hashable {
  /// The number of the screen in its tree.
  public var id: ScreenID
  /// The path of its coordinator.
  public var coordinator: CoordinatorPath
  /// The encoded route that it is computed from.
  public var route: String
  /// See ``ShownScreen/style``.
  public var style: ScreenStyle
  /// See ``ShownScreen/layer``.
  public var layer: UInt32
  /// See ``ShownScreen/attached``.
  public var attached: [ScreenMessage]
  /// See ``ShownScreen/draft``.
  public var draft: [String: JSONValue]
  /// See ``ShownScreen/changedAt``.
  public var changedAt: UInt64

  /// Creates a stored screen from its parts.
  public init(
    id: ScreenID, coordinator: CoordinatorPath, route: String, style: ScreenStyle, layer: UInt32, attached: [ScreenMessage],
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

/// An answer that is kept under a request key, in stored form.
public struct StoredRequest: Sendable, Hashable {
  /// The request key of the client.
  public var key: String
  /// The number of the request in its tree, in order of arrival.
  public var number: UInt64
  /// The encoded answer, with a digest of the call.
  public var entry: String

  /// Creates a stored request from its parts.
  public init(key: String, number: UInt64, entry: String) {
    self.key = key
    self.number = number
    self.entry = entry
  }
}

extension StoredTree {
  /// Creates a tree from its first change.
  ///
  /// - Parameter change: the change of the transition that started the tree.
  public init(startedBy change: StoredChange) {
    self.init(root: change.root, counters: change.counters)
    apply(change)
  }

  /// Applies a change. This is what every store must do, regardless of its format.
  ///
  /// - Parameter change: the change of the next transition of this tree.
  public mutating func apply(_ change: StoredChange) {
    counters = change.counters
    let changed = Set(change.coordinators.map(\.path))
    let gone = Set(change.ended.map(\.path))
    coordinators.removeAll { changed.contains($0.path) || gone.contains($0.path) }
    coordinators += change.coordinators
    outcomes += change.ended.filter { $0.path != root }.map { StoredOutcome(path: $0.path, outcome: $0.outcome) }
    outcomes.removeFirst(max(0, outcomes.count - OutcomeLedger.capacity))
    let replaced = Set(change.screens.map(\.id) + change.dismissed)
    screens.removeAll { replaced.contains($0.id) }
    screens += change.screens
    if let request = change.request {
      requests.removeAll { $0.key == request.key || $0.number + UInt64(RequestLedger.capacity) <= request.number }
      requests.append(request)
    }
  }
}

/// The readable parts of a stored tree that cannot be restored: enough to show that it exists, and to repeat kept answers.
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
