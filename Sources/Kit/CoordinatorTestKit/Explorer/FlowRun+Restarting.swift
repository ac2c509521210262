import CoordinatorKit

extension FlowRun {
  /// Creates a run that continues from what is stored of a state, as after a crash: secrets are lost, and coordinators are
  /// told of it. The work of the state is pending again.
  ///
  /// - Parameters:
  ///   - explorer: the explorer of the flow.
  ///   - state: the state before the crash.
  /// - Throws: ``RestoringError``, or why the state cannot be stored.
  package init(of explorer: FlowExplorer, restarting state: TreeState) async throws {
    let environment = FlowRun(of: explorer).environment
    let stored = try StoredTree(state, in: environment.catalogue)
    self.init(of: explorer, continuing: try await FlowTree.restore(stored, environment: environment).state)
    await resume()
  }

  /// Returns what a restart of the daemon would lose in a state of this run; nil if nothing.
  func loss(byRestartIn state: TreeState) async -> String? {
    do {
      let stored = try StoredTree(state, in: environment.catalogue)
      let restored = try await FlowTree.restore(stored, environment: environment).state
      // What work reports is shown again only when it has reported again.
      let live = state.coordinators.values.filter {
        !$0.work.isEmpty && environment.catalogue.showsLiveValues($0.flow)
      }
      return restored.difference(from: state, except: Set(live.map(\.path)))
    } catch let error as RestoringError {
      return "the flow fails: \(error)"
    } catch {
      return "nothing is left, because the flow cannot be stored: \(error)"
    }
  }
}

extension TreeState {
  /// Returns what a renderer or a coordinator would notice if this state replaced another.
  ///
  /// - Parameters:
  ///   - other: the other state.
  ///   - live: the coordinators whose screens may show something else.
  /// - Returns: what they would notice; nil if nothing.
  fileprivate func difference(from other: TreeState, except live: Set<CoordinatorPath>) -> String? {
    guard coordinatorsInOrder.map(\.path) == other.coordinatorsInOrder.map(\.path) else { return "the coordinators differ" }
    guard window.screens.map(\.id) == other.window.screens.map(\.id) else { return "the screens differ" }
    let changed = zip(window.screens, other.window.screens).first { !live.contains($0.coordinator) && !$0.looksLike($1) }
    return changed.map { "\($0.1.content.name) shows something else" }
  }
}

extension ShownScreen {
  fileprivate func looksLike(_ other: ShownScreen) -> Bool {
    content == other.content && messages == other.messages && back == other.back && style == other.style && layer == other.layer
      && coordinator == other.coordinator && changedAt == other.changedAt
  }
}
