extension FlowTree {
  /// Restores a tree from a store, with the same ids, paths, screens and revision (rule 10).
  ///
  /// Nothing is published, and no work runs before ``resume()``.
  ///
  /// - Parameters:
  ///   - stored: the stored tree.
  ///   - environment: the environment of the restored tree.
  /// - Returns: the tree and its state.
  /// - Throws: ``RestoringError``, in which case the tree must be held. What is stored remains unchanged.
  public static func restore(
    _ stored: StoredTree, environment: Environment
  ) async throws(RestoringError) -> (tree: FlowTree, state: TreeState) {
    do {
      var state = try TreeState(restoring: stored, in: environment.catalogue)
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
    for record in state.coordinators.values where !record.work.isEmpty {
      // Cannot fail, because the input was decoded when the tree was restored.
      let coordinator = try? environment.catalogue[record.flow]?.makeCoordinator(input: record.input)
      running[record.path] = running[record.path] ?? coordinator
      for work in record.work.sorted(by: { $0.id.number < $1.id.number }) {
        if work.tookSecrets {
          post(.workInterrupted(record.path, work.id))
        } else {
          begin([WorkOrder(coordinator: record.path, record: work, secrets: [:])])
        }
      }
    }
  }
}

extension TreeState {
  /// Whether any work was running.
  public var hasWork: Bool { coordinators.values.contains { !$0.work.isEmpty } }

  /// Computes all screens from the states of their coordinators. The actors are discarded afterwards and recreated on
  /// demand, because most trees are idle for a long time.
  fileprivate mutating func computeScreens(_ environment: FlowTree.Environment) async throws {
    var transition = Transition(from: self, catalogue: environment.catalogue, limits: environment.limits, now: environment.now())
    for (path, record) in coordinators where window.hasScreens(of: path) {
      guard let definition = environment.catalogue[record.flow] else { throw RestoringError.unknownFlow(record.flow) }
      switch try await definition.makeCoordinator(input: record.input).handle(.restored, of: path, in: transition) {
      case .success(let result): transition = result
      case .failure(let error): throw RestoringError.unreadable(path, "its screens cannot be computed: \(type(of: error))")
      }
    }
    self = transition.after
  }
}
