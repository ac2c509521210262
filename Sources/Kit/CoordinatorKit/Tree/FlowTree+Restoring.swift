extension FlowTree {
  /// Restores a tree from a store, with the same ids, paths, screens and revision (rule 10).
  ///
  /// Nothing is published, and no work runs before ``resume()``.
  ///
  /// - Parameters:
  ///   - stored: the stored tree.
  ///   - environment: the environment of the restored tree.
  /// - Returns: the tree and its state.
  /// - Throws: ``RestoringError``, in which case the tree must be held. The stored data remains unchanged.
  public static func restore(
    _ stored: StoredTree, environment: Environment
  ) async throws(RestoringError) -> (tree: FlowTree, state: TreeState) {
    do {
      var state = try TreeState(restoring: stored, in: environment.catalogue, since: environment.startOfMachine)
      try await state.computeScreens(environment)
      return (FlowTree(continuing: state, environment: environment), state)
    } catch let error as RestoringError {
      throw error
    } catch {
      throw .unreadable(stored.root, String(describing: type(of: error)))
    }
  }

  /// Restarts the work that was running, and reports work that cannot be performed again because its secrets are gone.
  public func resume() {
    for record in state.coordinatorsAsStarted where !record.belongings.lostSecrets.isEmpty {
      post(Posted(.lostSecrets(record.path)))
    }
    for record in state.coordinatorsAsStarted {
      for _ in record.belongings.childEnds { post(Posted(.childEnd(record.path))) }
    }
    let next = state.nextTimers
    if next != NextTimers() { environment.whenTimersChange(root, next) }
    for record in state.coordinatorsAsStarted where !record.work.isEmpty {
      restoreCoordinator(record)
      for work in record.work.sorted(by: { $0.id.number < $1.id.number }) where work.id.number <= lastStoredWork {
        if work.result != nil {
          post(Posted(.work(record.path, work.id)))
        } else if work.tookSecrets {
          post(Posted(.interruption(record.path, work.id)))
        } else {
          begin([WorkOrder(coordinator: record.path, record: work, secrets: [:], isRepeated: true)])
        }
      }
    }
  }
}

extension TreeState {
  /// Whether work was running, timers must fire, or coordinators must be notified of lost secrets.
  public var hasToResume: Bool {
    coordinators.values.contains {
      !$0.work.isEmpty || !$0.belongings.timers.isEmpty || !$0.belongings.lostSecrets.isEmpty
        || !$0.belongings.childEnds.isEmpty
    }
  }

  /// The coordinators in the order in which they were started. Parents precede their children, and children their
  /// younger siblings, even if they were started in one transition, or if the clock was set back in between.
  var coordinatorsAsStarted: [CoordinatorRecord] {
    var times: [CoordinatorPath: UInt64] = [:]
    let inOrder = coordinatorsInOrder
    for record in inOrder {
      let time = max(record.startedAt, times[record.path] ?? 0)
      times[record.path] = time
      var latest = time
      for child in record.children {
        latest = max(latest, coordinators[child]?.startedAt ?? 0)
        times[child] = latest
      }
    }
    // The sort is stable.
    return inOrder.sorted { times[$0.path] ?? 0 < times[$1.path] ?? 0 }
  }

  /// Computes all screens from the states of their coordinators. The actors are released afterwards, and created again when
  /// they are needed, because most trees wait for a long time.
  fileprivate mutating func computeScreens(_ environment: FlowTree.Environment) async throws {
    var transition = Transition(from: self, catalogue: environment.catalogue, limits: environment.limits, at: environment.moment)
    // In the order in which they were started, because an author's initializer may have side effects.
    let records = coordinatorsAsStarted
    for record in records where window.hasScreens(of: record.path) {
      try await transition.computeScreens(of: record.path, flow: record.flow, input: record.input, environment)
    }
    // The answers that these screens show of others are known only now.
    for record in records where transition.reviewers.contains(record.path) {
      try await transition.computeScreens(of: record.path, flow: record.flow, input: record.input, environment)
    }
    self = transition.after
  }
}

extension Transition {
  fileprivate mutating func computeScreens(
    of path: CoordinatorPath, flow: String, input: [String: JSONValue], _ environment: FlowTree.Environment
  ) async throws {
    guard let definition = environment.catalogue[flow] else { throw RestoringError.unknownFlow(flow) }
    switch try await definition.makeCoordinator(input: input).handle(.restored, of: path, in: self) {
    case .success(let result): self = result
    case .failure(let error): throw RestoringError.unreadable(path, "its screens cannot be computed: \(type(of: error))")
    }
  }
}
