/// The changes of a transition to a ``StoredTree``, to be stored as a whole or not at all.
public struct StoredChange: Sendable, Hashable {
  /// The path of the tree's root coordinator.
  public var root: CoordinatorPath
  /// Whether this is the transition that started the tree.
  public var isStart: Bool
  /// The tree's counters after the transition.
  public var counters: StoredTree.Counters
  /// The coordinators that are new or changed.
  public var coordinators: [StoredCoordinator]
  /// The coordinators that ended, with their outcomes. If the tree ended, the last one is the root.
  public var ended: [EndedCoordinator]
  /// The screens that are new or changed.
  public var screens: [StoredScreen]
  /// The screens that were dismissed.
  public var dismissed: [ScreenID]
  /// The answer to keep.
  public var request: StoredRequest?
  /// The time at which the transition began, in microseconds since 1970.
  public var time: UInt64
  /// The cause of the transition.
  public var occasion: Occasion

  /// The outcome of the tree; nil while it is alive.
  public var outcome: Outcome? { ended.last { $0.path == root }?.outcome }

  /// A failure that did not end a coordinator, such as that of a piece of work.
  public var failure: Failure?
}

extension Publication {
  /// Whether there is nothing to store.
  public var changesNothing: Bool { isEmpty && touched.isEmpty && request == nil && unendingFailure == nil }

  /// Returns the changes to store.
  ///
  /// Encodes everything that changed, which takes time; call it on a thread of the store.
  ///
  /// - Parameter catalogue: provides the versions of the flows.
  /// - Returns: the changes.
  /// - Throws: `EncodingError` if a value cannot be represented in JSON.
  public func change(in catalogue: FlowCatalogue) throws -> StoredChange {
    let updates = Set(updated.map(\.screen.id))
    var changed = presented.map(\.screen) + updated.map(\.screen) + drafted.filter { !updates.contains($0.id) }
    if !rewritten.isEmpty {
      let known = Set(changed.map(\.id))
      changed += state.window.screens.filter { rewritten.contains($0.coordinator) && !known.contains($0.id) }
    }
    return StoredChange(
      root: state.root, isStart: isStart, counters: StoredTree.Counters(state),
      coordinators: try touched.sorted { $0.text < $1.text }.compactMap { path in
        try state.coordinators[path].map { try StoredCoordinator($0, catalogue) }
      },
      ended: ended, screens: try changed.map { try StoredScreen($0) }, dismissed: dismissed.map(\.screen),
      request: try request.flatMap { try state.requests.stored($0) }, time: time, occasion: occasion, failure: unendingFailure)
  }
}

extension StoredCoordinator {
  init(_ record: CoordinatorRecord, _ catalogue: FlowCatalogue) throws {
    self.init(
      path: record.path, flow: record.flow, version: catalogue.description(of: record.flow)?.version ?? 1,
      input: try StoredText.encode(record.input), router: record.router, startedAt: record.startedAt, lastChild: record.lastChild,
      state: try StoredText.encode(record.state),
      work: try record.work.map {
        StoredWork(
          number: $0.id.number, work: try StoredText.encode($0.work), key: $0.key, screen: $0.screen,
          tookSecrets: $0.tookSecrets, result: $0.result.map { StoredWorkResult($0) },
          attempts: $0.attempts > 1 ? $0.attempts : nil)
      },
      belongings: try StoredBelongings(record.belongings))
  }
}

extension StoredScreen {
  init(_ screen: ShownScreen) throws {
    self.init(
      id: screen.id, coordinator: screen.coordinator, route: try StoredText.encode(screen.route), style: screen.style,
      layer: screen.layer, attached: screen.attached, draft: screen.draft, changedAt: screen.changedAt)
  }
}

extension StoredTree {
  /// Creates the stored form of a tree.
  ///
  /// - Parameters:
  ///   - state: the state of the tree.
  ///   - catalogue: provides the versions of the flows.
  /// - Throws: `EncodingError` if a value cannot be represented in JSON.
  public init(_ state: TreeState, in catalogue: FlowCatalogue) throws {
    self.init(
      root: state.root, counters: Counters(state),
      coordinators: try state.coordinators.values.map { try StoredCoordinator($0, catalogue) },
      screens: try state.window.screens.map { try StoredScreen($0) },
      outcomes: state.outcomes.inOrder,
      requests: try state.requests.allStored)
  }
}

extension StoredTree.Counters {
  fileprivate init(_ state: TreeState) {
    self.init(revision: state.revision, lastScreen: state.lastScreen, lastWork: state.lastWork)
  }
}

extension StoredChange {
  /// Creates the change that ends a held tree because its root was dismissed. The outcome is cancelled, and no flow is
  /// called.
  ///
  /// - Parameters:
  ///   - outline: the outline of the tree.
  ///   - flow: the name of the root's flow.
  ///   - request: the answer to keep.
  ///   - caller: the caller that dismissed the root.
  ///   - isForced: whether the caller forced the end.
  ///   - time: the time, in microseconds since 1970.
  public init(
    dismissing outline: TreeOutline, flow: String, request: StoredRequest?, by caller: Caller?, isForced: Bool = false,
    at time: UInt64
  ) {
    self.init(
      root: outline.root, isStart: false,
      counters: StoredTree.Counters(revision: outline.revision, lastScreen: 0, lastWork: 0), coordinators: [],
      ended: [EndedCoordinator(path: outline.root, flow: flow, outcome: .cancelled)], screens: [], dismissed: [],
      request: request, time: time,
      occasion: Occasion(.dismiss, coordinator: outline.root, name: isForced ? Occasion.force : nil, caller: caller))
  }
}

/// The parts of a coordinator besides its state and its work, in stored form. Secrets are not stored.
public struct StoredBelongings: Sendable, Hashable, Codable {
  /// A timer that has not fired.
  public struct StoredTimer: Sendable, Hashable, Codable {
    /// The coordinator's encoded description of the timer.
    public var timer: String
    /// The time at which the timer fires; for a duration, its end by the wall clock at the time when it began.
    public var due: Timestamp
    /// The duration after which the timer fires; nil for a time by the wall clock. Older versions do not read it.
    package var lapse: Lapse?
  }

  /// The timers, in the order in which they were started.
  public var timers: [StoredTimer]?
  /// The names of the secrets that were kept in memory, sorted.
  public var secrets: [String]?
  /// The values of a screen's form when it was sent.
  public struct StoredSent: Sendable, Hashable, Codable {
    /// The screen.
    public var screen: ScreenID
    /// The values, by field.
    public var values: [String: JSONValue]
  }

  /// The values of forms when the user went back from them, by the name of their screens.
  public var forms: [String: [String: JSONValue]]?
  /// The values of the forms of the coordinator's screens when they were sent.
  public var sent: [StoredSent]?
  /// The ends of children that have not been delivered to the coordinator, oldest first.
  public var childEnds: [ChildEndRecord]?
  /// The name of the tree's language; only the root has one.
  public var language: String?
  /// Whether a client may still propose the tree's language; nil for false, and in trees that older versions stored.
  public var isLanguageOpen: Bool?
}

extension StoredBelongings {
  /// Creates the stored form; nil if there is nothing to store.
  init?(_ belongings: Belongings) throws {
    guard !belongings.isEmpty else { return nil }
    if !belongings.timers.isEmpty {
      timers = try belongings.timers.map { StoredTimer(timer: try StoredText.encode($0.timer), due: $0.due, lapse: $0.lapse) }
    }
    // A coordinator that has not yet been notified of its lost secrets is notified after the next restart.
    let names = belongings.lostSecrets.union(belongings.secrets.keys)
    if !names.isEmpty { secrets = names.sorted() }
    if !belongings.forms.isEmpty { forms = belongings.forms }
    if !belongings.childEnds.isEmpty { childEnds = belongings.childEnds }
    language = belongings.language
    if belongings.isLanguageOpen { isLanguageOpen = true }
    if !belongings.sent.isEmpty {
      sent = belongings.sent.sorted { $0.key < $1.key }.map { StoredSent(screen: $0.key, values: $0.value) }
    }
  }
}

extension Belongings {
  /// Creates the belongings that remain after a restart.
  ///
  /// - Parameters:
  ///   - stored: the stored form.
  ///   - timers: the descriptions of the timers, with the stored number of elements.
  ///   - start: the start of the machine after which durations continue.
  init(_ stored: StoredBelongings, timers: [any Codable & Hashable & Sendable], since start: MachineStart) {
    self.timers = zip(stored.timers ?? [], timers).map { stored, timer in
      let lapse = stored.lapse.map { Lapse(continuing: $0, of: 0, due: stored.due.microseconds, since: start) }
      return TimerRecord(timer: timer, due: stored.due, lapse: lapse)
    }
    lostSecrets = Set(stored.secrets ?? [])
    forms = stored.forms ?? [:]
    childEnds = stored.childEnds ?? []
    language = stored.language
    isLanguageOpen = stored.isLanguageOpen ?? false
    sent = Dictionary((stored.sent ?? []).map { ($0.screen, $0.values) }, uniquingKeysWith: { $1 })
  }
}
