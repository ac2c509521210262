import HashTreeCollections
import Languages

/// The complete state of a flow tree at one moment, except for the actors that run its flows. A value.
public struct TreeState: Sendable {
  /// The path of the root coordinator.
  public let root: CoordinatorPath
  /// The number of transitions that changed a screen. The start counts as 1.
  public private(set) var revision: UInt64 = 0
  /// The screens of the tree.
  public private(set) var window = Window()
  /// The live coordinators, by path. A transition copies the parts of the dictionary that it changes, not the whole.
  public private(set) var coordinators: TreeDictionary<CoordinatorPath, CoordinatorRecord> = [:]
  /// The outcomes of the coordinators that ended most recently.
  public private(set) var outcomes = OutcomeLedger()
  /// The answers to the most recent calls with a request key.
  public private(set) var requests = RequestLedger()

  /// The coordinators that an older version of their flow stored and that have not been stored since: their rows are in
  /// the old form.
  private var migrated: Set<CoordinatorPath> = []
  /// The highest id of a screen so far.
  private(set) var lastScreen: UInt64 = 0
  /// The highest number of a piece of work so far.
  private(set) var lastWork: UInt64 = 0

  init(root: CoordinatorPath) { self.root = root }

  /// Creates a state without coordinators.
  init(root: CoordinatorPath, lastScreen: UInt64, lastWork: UInt64, window: Window) {
    (self.root, self.lastScreen, self.lastWork, self.window) = (root, lastScreen, lastWork, window)
  }

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

extension TreeState {
  /// The same state with copies of the kept secrets, which are not wiped when the tree with the original secrets ends.
  package var withCopiedSecrets: TreeState {
    var copy = self
    for (path, record) in coordinators where !record.belongings.secrets.isEmpty {
      copy.change(path) { $0.belongings.secrets = record.belongings.secrets.mapValues { Secret(copying: $0) } }
    }
    return copy
  }
}

/// Changes, which only transitions make.
extension TreeState {
  /// Returns the id of the next screen.
  mutating func nextScreenID() -> ScreenID {
    lastScreen += 1
    return ScreenID(lastScreen)
  }

  /// Returns the id of the next piece of work.
  mutating func nextWorkID() -> WorkID {
    lastWork += 1
    return WorkID(number: lastWork)
  }

  /// Adds a coordinator, or replaces its record.
  mutating func put(_ record: CoordinatorRecord) { coordinators[record.path] = record }

  /// Changes the record of a coordinator in place.
  ///
  /// - Returns: the result of `body`; nil if there is no coordinator.
  @discardableResult
  mutating func change<Result>(_ path: CoordinatorPath, _ body: (inout CoordinatorRecord) -> Result) -> Result? {
    coordinators[path]?.apply(body)
  }

  /// Removes a coordinator that has ended, also from its parent, and keeps its outcome.
  mutating func end(_ path: CoordinatorPath, _ outcome: Outcome) {
    coordinators[path] = nil
    outcomes.record(outcome, of: path)
    if let parent = path.parent { coordinators[parent]?.children.removeAll { $0 == path } }
  }

  /// Changes the window in place.
  mutating func changeWindow<Result>(_ body: (inout Window) -> Result) -> Result { body(&window) }

  /// Changes one screen in place.
  mutating func updateScreen(_ id: ScreenID, _ body: (inout ShownScreen) -> Void) { window.update(id, body) }

  /// Completes a transition: counts it if it changed a screen, and forgets the oldest outcomes.
  mutating func complete(isVisible: Bool) {
    if isVisible { revision += 1 }
    outcomes.forgetOldest()
  }

  /// Keeps the answer to a call with a request key.
  mutating func record(_ answer: RequestLedger.Answer, to call: CallFingerprint, key: String) {
    requests.record(answer, to: call, key: key)
  }

  /// Whether some coordinators have not been stored since an older version of their flow stored them.
  var hasMigrated: Bool { !migrated.isEmpty }

  /// Returns those of the coordinators that an older version of their flow stored, because they are stored now.
  mutating func takeMigrated(of stored: Set<CoordinatorPath>) -> Set<CoordinatorPath> {
    let taken = migrated.intersection(stored)
    migrated.subtract(taken)
    migrated = migrated.filter { coordinators[$0] != nil }
    return taken
  }
}

extension CoordinatorRecord {
  fileprivate mutating func apply<Result>(_ body: (inout CoordinatorRecord) -> Result) -> Result { body(&self) }
}

extension TreeState {
  /// The language in which the tree's screens are shown; nil for English.
  public var language: LanguageTag? { languageName.flatMap { try? LanguageTag($0) } }

  /// The name of ``language``.
  var languageName: String? { coordinators[root]?.belongings.language }

  /// Whether a client may still propose the language: the tree was started for an unknown user, no client has proposed one since,
  /// the flow has set none, and no client has answered, gone back, dismissed a coordinator or started one.
  public var isLanguageOpen: Bool { coordinators[root]?.belongings.isLanguageOpen ?? false }

  /// Changes the language.
  mutating func setLanguage(_ name: String?) { coordinators[root]?.belongings.language = name }
}

extension TreeState {
  /// Creates the state of a stored tree, without the content of its screens.
  ///
  /// - Parameters:
  ///   - stored: the stored tree.
  ///   - catalogue: the flows that decode and migrate the stored values.
  ///   - start: the start of the machine after which durations continue.
  /// - Throws: ``RestoringError``, or `DecodingError` if a kept answer cannot be decoded.
  init(restoring stored: StoredTree, in catalogue: FlowCatalogue, since start: MachineStart) throws {
    self.init(root: stored.root)
    revision = stored.counters.revision
    lastScreen = stored.counters.lastScreen
    lastWork = stored.counters.lastWork
    outcomes = OutcomeLedger(stored.outcomes)
    requests = try RequestLedger(stored.requests)
    let screens = Dictionary(grouping: stored.screens.sorted { $0.id < $1.id }, by: \.coordinator)
    var shown: [ShownScreen] = []
    for coordinator in stored.coordinators {
      let own = screens[coordinator.path] ?? []
      let restored = try catalogue.restore(coordinator, routes: own.map(\.route))
      coordinators[coordinator.path] = CoordinatorRecord(coordinator, restored, since: start)
      if coordinator.version != catalogue.description(of: coordinator.flow)?.version { migrated.insert(coordinator.path) }
      shown += zip(own, restored.routes).map { ShownScreen($0, route: $1) }
    }
    guard shown.count == stored.screens.count else {
      throw RestoringError.incomplete(stored.screens.first { coordinators[$0.coordinator] == nil }?.coordinator ?? root)
    }
    guard coordinators[root] != nil else { throw RestoringError.incomplete(root) }
    window = Window(shown)
    try linkChildren()
  }

  /// Sorted by the numbers at the end of their names, because children are started in that order.
  private mutating func linkChildren() throws(RestoringError) {
    for path in coordinators.keys.sorted(by: { $0.numberInParent < $1.numberInParent }) {
      guard let parent = path.parent else { continue }
      guard coordinators[parent] != nil else { throw .incomplete(parent) }
      coordinators[parent]?.children.append(path)
    }
  }
}

extension CoordinatorRecord {
  fileprivate init(_ stored: StoredCoordinator, _ restored: RestoredCoordinator, since start: MachineStart) {
    self.init(
      path: stored.path, flow: stored.flow,
      input: restored.input, inputSize: JSONValue.object(restored.input).roughSize, router: stored.router,
      startedAt: stored.startedAt,
      lastChild: stored.lastChild, state: restored.state,
      work: zip(stored.work, restored.work).map {
        WorkRecord(
          id: WorkID(number: $0.number), work: $1, key: $0.key, screen: $0.screen, tookSecrets: $0.tookSecrets,
          result: $0.result?.end, attempts: $0.attempts ?? 1)
      },
      belongings: stored.belongings.map { Belongings($0, timers: restored.timers, since: start) } ?? Belongings())
  }
}

extension ShownScreen {
  fileprivate init(_ stored: StoredScreen, route: any RouteValue) {
    self.init(
      id: stored.id, coordinator: stored.coordinator, route: route, style: stored.style, layer: stored.layer,
      content: .notYetComputed, attached: stored.attached, draft: stored.draft, back: true, changedAt: stored.changedAt)
  }
}

extension FlowCatalogue {
  fileprivate func restore(_ stored: StoredCoordinator, routes: [String]) throws -> RestoredCoordinator {
    guard let definition = self[stored.flow] ?? provided?.standIn(for: stored) else {
      throw RestoringError.unknownFlow(stored.flow)
    }
    let restored: RestoredCoordinator
    do {
      restored = try definition.restore(stored, routes: routes)
    } catch let error as RestoringError {
      throw error
    } catch is DecodingError {
      let isMigrated = stored.version != description(of: stored.flow)?.version
      throw RestoringError.unreadable(
        stored.path,
        isMigrated
          ? "the flow \(stored.flow) does not accept the result of its migration from version \(stored.version)"
          : "the flow \(stored.flow) does not accept the stored state; has it changed without a new version?")
    } catch {
      throw RestoringError.unreadable(stored.path, String(describing: type(of: error)))
    }
    let reasons = definition.check(restored.input)
    guard reasons.isEmpty else {
      throw RestoringError.unreadable(stored.path, "its input is no longer accepted: \(reasons.keys.sorted())")
    }
    return restored
  }
}
