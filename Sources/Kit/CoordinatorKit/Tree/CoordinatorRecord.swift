import Platform

/// What the runtime knows about one live coordinator.
public struct CoordinatorRecord: Sendable {
  /// The fields in a single heap allocation, because each transition copies the dictionary of a tree's coordinators,
  /// regardless of their number.
  ///
  /// `@unchecked Sendable`, because the fields only change after ``CoordinatorRecord/change()`` has verified that this
  /// is the only reference.
  private final class Storage: @unchecked Sendable {
    // Exclusivity is ensured by the uniqueness check, so it need not be enforced at run time.
    @exclusivity(unchecked) var fields: Fields
    init(_ fields: Fields) { self.fields = fields }
  }

  private final class Box: Sendable {
    let belongings: Belongings

    init?(_ belongings: Belongings) {
      if belongings.isEmpty { return nil }
      self.belongings = belongings
    }
  }

  private struct Fields: Sendable {
    let path: CoordinatorPath
    let flow: String
    let input: [String: JSONValue]
    let inputSize: Int
    let router: RouterKind
    let startedAt: UInt64
    var children: [CoordinatorPath] = []
    var lastChild: UInt64
    var state: any FlowState
    var work: [WorkRecord]
    /// Nil if there are none, as for most coordinators.
    var belongings: Box?
    var hold: Hold?
  }

  private var storage: Storage

  /// Creates a coordinator without children.
  init(
    path: CoordinatorPath, flow: String, input: [String: JSONValue], inputSize: Int, router: RouterKind, startedAt: UInt64,
    lastChild: UInt64 = 0, state: any FlowState, work: [WorkRecord] = [], belongings: Belongings = Belongings()
  ) {
    storage = Storage(
      Fields(
        path: path, flow: flow, input: input, inputSize: inputSize, router: router, startedAt: startedAt, lastChild: lastChild,
        state: state, work: work, belongings: Box(belongings)))
  }

  private mutating func change() -> Storage {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
    return storage
  }

  /// The coordinator's place in its flow tree.
  public var path: CoordinatorPath { storage.fields.path }
  /// The name of its flow.
  public var flow: String { storage.fields.flow }
  /// The input that it was started with, by key.
  public var input: [String: JSONValue] { storage.fields.input }
  /// The approximate size of the input in memory, in bytes.
  var inputSize: Int { storage.fields.inputSize }
  /// The router that determines how it presents its screens.
  public var router: RouterKind { storage.fields.router }
  /// The time at which it was started, in microseconds since 1970.
  public var startedAt: UInt64 { storage.fields.startedAt }

  /// Its children, in the order in which they were started.
  public internal(set) var children: [CoordinatorPath] {
    get { storage.fields.children }
    _modify { yield &change().fields.children }
  }
  /// The highest number in the name of a child; never reused.
  var lastChild: UInt64 {
    get { storage.fields.lastChild }
    set { change().fields.lastChild = newValue }
  }
  package internal(set) var state: any FlowState {
    get { storage.fields.state }
    set { change().fields.state = newValue }
  }
  package internal(set) var work: [WorkRecord] {
    get { storage.fields.work }
    _modify { yield &change().fields.work }
  }
  /// Its timers, its secrets, and the values of its forms.
  var belongings: Belongings {
    get { storage.fields.belongings?.belongings ?? .none }
    set { change().fields.belongings = Box(newValue) }
  }
  /// Why it is held; nil if it is not.
  package internal(set) var hold: Hold? {
    get { storage.fields.hold }
    set { change().fields.hold = newValue }
  }
  /// Its timers that have not fired, in the order in which they were started.
  package var timers: [TimerRecord] { belongings.timers }
  /// The names of the secrets that it keeps in memory.
  package var secretNames: Set<String> { Set(belongings.secrets.keys) }
  /// The secrets that it keeps in memory, by name.
  package var secrets: [String: Secret] { belongings.secrets }

  var child: Child { Child(path: path, flow: flow, input: input) }
}

/// A coordinator's place in its flow tree: the names from the root down, such as `pets_1/schedule_visit_1`.
///
/// Names consist of `[A-Za-z0-9_]`, so that a path can be used as the end of a D-Bus object path.
public struct CoordinatorPath: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The names from the root down, separated by `/`.
  public let text: String

  private static let slash = UInt8(ascii: "/")

  /// Creates the path of a root coordinator.
  public init(root name: String) { text = name }

  /// Creates a path from its string representation, without checking it.
  package init(text: String) { self.text = text }

  /// Returns the path of a child with the given name.
  public func child(_ name: String) -> CoordinatorPath { CoordinatorPath(text: text + "/" + name) }

  /// Creates a path from the names from the root down; nil if there are none.
  public init?(names: some Collection<some StringProtocol>) {
    guard !names.isEmpty else { return nil }
    text = names.joined(separator: "/")
  }

  /// The name of the root coordinator.
  public var root: Substring { text.utf8.firstIndex(of: Self.slash).map { text[..<$0] } ?? text[...] }

  /// The last name.
  public var name: Substring { text.utf8.lastIndex(of: Self.slash).map { text[text.utf8.index(after: $0)...] } ?? text[...] }

  /// The path of the parent; nil for a root.
  public var parent: CoordinatorPath? {
    text.utf8.lastIndex(of: Self.slash).map { CoordinatorPath(text: String(text[..<$0])) }
  }

  /// The depth in coordinators; 1 for a root.
  public var depth: Int { text.utf8.reduce(1) { $1 == Self.slash ? $0 + 1 : $0 } }

  /// Returns whether this coordinator is an ancestor of the other.
  public func isAncestor(of other: CoordinatorPath) -> Bool {
    let own = text.utf8
    let others = other.text.utf8
    guard others.count > own.count, others.starts(with: own) else { return false }
    return others[others.index(others.startIndex, offsetBy: own.count)] == Self.slash
  }

  /// The names from the root down, separated by `/`.
  public var description: String { text }
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

extension CoordinatorPath {
  /// The number N in the name FLOW_N, which gives the order in which children were started.
  package var numberInParent: UInt64 {
    name.bytes.cutLast(at: "_").flatMap { UInt64($0.after) } ?? 0
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
