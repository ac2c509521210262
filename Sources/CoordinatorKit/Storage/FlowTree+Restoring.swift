extension FlowTree {
  /// Takes a tree up again that a store has kept: with the same ids, paths, screens and revision (rule 10).
  ///
  /// Nothing is published, and no work runs before ``resume()``.
  ///
  /// - Parameters:
  ///   - stored: what was kept.
  ///   - environment: what the tree works with from now on.
  /// - Returns: the tree, and what it shows.
  /// - Throws: ``RestoringError``, and then the tree is not to be used: it has failed.
  public static func restore(
    _ stored: StoredTree, environment: Environment
  ) async throws(RestoringError) -> (tree: FlowTree, state: TreeState) {
    do {
      let state = try TreeState(restoring: stored, in: environment.catalogue)
      let tree = FlowTree(continuing: state, environment: environment)
      return (tree, try await tree.computeScreens())
    } catch let error as RestoringError {
      throw error
    } catch {
      throw .unreadable(stored.root, String(describing: type(of: error)))
    }
  }

  /// Computes all screens from the states of their coordinators.
  private func computeScreens() async throws -> TreeState {
    var transition = Transition(
      from: state, catalogue: environment.catalogue, limits: environment.limits, now: environment.now())
    for path in state.coordinators.keys where state.window.hasScreens(of: path) {
      let running = try coordinator(at: path, transition)
      let result = await running.handle(.restored, of: path, in: transition)
      if let error = result.error {
        throw RestoringError.unreadable(path, "its screens cannot be computed: \(type(of: error))")
      }
      transition = result.transition
    }
    // The actors are made anew when something is asked of them: most trees wait for long.
    newcomers = [:]
    state = transition.after
    return state
  }

  /// Begins the work again that was running, and tells of work that cannot be done again, because its secrets are gone.
  public func resume() {
    for record in state.coordinators.values where !record.work.isEmpty {
      // Its input was decoded when the tree was taken up, so it can be.
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
