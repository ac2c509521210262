import Platform

extension TreeState {
  /// Creates the state of a stored tree, without the content of its screens.
  ///
  /// - Parameters:
  ///   - stored: the stored tree.
  ///   - catalogue: the flows that decode and migrate the stored values.
  ///   - start: the start of the machine that durations go on after.
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
