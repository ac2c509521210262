/// Everything that one event changes, as one value: applied, stored and published whole or not at all (rule 3).
///
/// It begins as a copy of the tree's state. Handlers change the copy; the tree takes it over once it is stored, or drops it.
public struct Transition: Sendable {
  /// A handler that has to be called before the transition is complete.
  enum Step: Sendable {
    case start(CoordinatorPath)
    case childEnded(Child, Outcome)
  }

  /// Why a screen was taken down, as far as its coordinator's outcome does not say it.
  enum Removal: Sendable { case back, replaced, dismissed }

  /// What the tree was.
  let before: TreeState
  /// What it will be.
  public internal(set) var after: TreeState

  let limits: Limits
  let catalogue: FlowCatalogue
  let now: UInt64
  /// Whether the tree's time is up; the reason for what is dismissed then.
  var isTimeout = false

  var steps: [Step] = []
  var started: [CoordinatorPath] = []
  /// The coordinators whose record may be another one than before, other than by a child that ended.
  var touched: Set<CoordinatorPath> = []
  var ended: [EndedCoordinator] = []
  var removals: [ScreenID: (reason: Removal, animated: Bool)] = [:]
  var animations: [ScreenID: Bool] = [:]
  var orders: [WorkOrder] = []
  var cancelledWork: [WorkID] = []
  /// The first limit that was breached; the transition is refused when the handler returns.
  var breach: Refusal?
  private var ending: Set<CoordinatorPath> = []

  /// A transition that changes nothing yet.
  ///
  /// - Parameters:
  ///   - state: what the tree is.
  ///   - catalogue: the flows that can be started.
  ///   - limits: how much the tree may hold.
  ///   - now: microseconds since 1970.
  init(from state: TreeState, catalogue: FlowCatalogue, limits: Limits, now: UInt64) {
    before = state
    after = state
    self.catalogue = catalogue
    self.limits = limits
    self.now = now
  }

  /// What the tree will show.
  var window: Window { after.window }

  /// Whether a coordinator lives, and is not about to end.
  func isAlive(_ path: CoordinatorPath) -> Bool { after.coordinators[path] != nil && !ending.contains(path) }

  /// Takes the next handler to call.
  mutating func nextStep() -> Step? { steps.isEmpty ? nil : steps.removeFirst() }

  // MARK: Ending

  /// Ends a coordinator: its children first, newest first, as cancelled; then its screens and its work are gone, and its parent will be
  /// told (rule 1). Does nothing if it has ended already.
  mutating func end(_ path: CoordinatorPath, _ outcome: Outcome, animated: Bool = true) {
    guard isAlive(path), let record = after.coordinators[path] else { return }
    ending.insert(path)
    for child in record.children.reversed() { end(child, .cancelled, animated: animated) }
    ending.remove(path)

    cancelWork(of: path)
    after.coordinators[path] = nil
    after.outcomes.record(outcome, of: path)
    ended.append(EndedCoordinator(path: path, flow: record.flow, outcome: outcome))
    steps.removeAll { $0.concerns(path) }
    if let parent = path.parent {
      after.coordinators[parent]?.children.removeAll { $0 == path }
      if isAlive(parent) { steps.append(.childEnded(record.child, outcome)) }
    }
    let removed = after.window.remove { $0.coordinator == path }
    take(down: removed, .dismissed, animated: animated, by: path)
  }

  /// Notes what was taken down, and ends the coordinators that lost their last screen to somebody else's doing.
  ///
  /// The one who did it, and those above it, are not ended: they decide themselves what comes next.
  mutating func take(
    down removed: [ShownScreen], _ reason: Removal, animated: Bool, by actor: CoordinatorPath
  ) {
    for screen in removed { removals[screen.id] = (reason, animated) }
    for screen in removed {
      let owner = screen.coordinator
      guard owner != actor, !owner.isAncestor(of: actor), !window.hasScreens(of: owner) else { continue }
      end(owner, .cancelled, animated: animated)
    }
  }
}

/// A coordinator that ended, and how.
public struct EndedCoordinator: Sendable, Hashable {
  /// Where it stood in its flow tree.
  public let path: CoordinatorPath
  /// The name of its flow.
  public let flow: String
  /// How it ended.
  public let outcome: Outcome
}

/// A piece of work to begin once the transition is stored.
struct WorkOrder: Sendable {
  let coordinator: CoordinatorPath
  let record: WorkRecord
  let secrets: [String: Secret]
}

extension Transition.Step {
  /// Whether the step calls a handler of the given coordinator.
  func concerns(_ path: CoordinatorPath) -> Bool {
    switch self {
    case .start(let starting): starting == path
    case .childEnded(let child, _): child.path.parent == path
    }
  }
}
