import DequeModule

/// Everything that one event changes, as one value that is applied, stored and published as a whole or not at all (rule
/// 3).
///
/// It begins as a copy of the tree's state. Handlers change the copy, which the tree adopts once it is stored, or
/// drops.
public struct Transition: Sendable {
  /// A handler that must be called before the transition is complete.
  enum Step: Sendable {
    case start(CoordinatorPath)
    case childEnded(Child, Outcome, [String: Secret])
    case childEmitted(ChildOutput, [String: Secret])
    case parentSent(any Codable & Sendable, to: CoordinatorPath, [String: Secret])
    /// No handler: the coordinator's screens are computed in another language.
    case redraw(CoordinatorPath)
  }

  /// Why a screen was dismissed, unless its coordinator's outcome is the reason.
  enum Removal: Sendable { case back, replaced, dismissed }

  /// The state of the tree before the transition.
  let before: TreeState
  /// The state of the tree after the transition.
  public internal(set) var after: TreeState

  let limits: Limits
  let catalogue: FlowCatalogue
  let now: UInt64
  /// The time by the monotonic clock.
  let elapsed: ElapsedTime
  /// The client that called; nil if the event did not come from one.
  let caller: Caller?
  /// The held coordinator whose event a client has retried; nil if there is none.
  let retried: CoordinatorPath?
  /// Whether the tree timed out, which is then the reason for its dismissed screens.
  var isTimeout = false

  var steps: Deque<Step> = []
  var started: [CoordinatorPath] = []
  /// The coordinators whose records may have changed, other than because a child ended.
  var touched: Set<CoordinatorPath> = []
  var ended: [EndedCoordinator] = []
  // Not `[:]`: when optimized for size, the literal is an unspecialized call that looks up types at run time.
  var removals = [ScreenID: (reason: Removal, animated: Bool)]()
  var animations = [ScreenID: Bool]()
  var orders: [WorkOrder] = []
  var cancelledWork: [WorkID] = []
  /// Kept secrets that were forgotten, to be wiped once the transition is stored.
  var wiped: [Secret] = []
  /// The coordinators whose screens show the answers of screens below them.
  var reviewers: Set<CoordinatorPath> = []
  /// Whether timers were started or stopped.
  var changesTimers = false
  /// The coordinators to which the end of a child is delivered later, because their provider did not answer.
  var postponed = [CoordinatorPath: Hold.Obstacle]()
  /// The screens that must be computed in another language once all handlers have returned.
  var redrawing = Redrawing.none
  /// Whether redrawing has begun. From then on, the language does not change.
  var hasBegunToRedraw = false
  /// The operations of the handlers, in order, if another process carries them out; nil if this process does.
  var recording: [FlowDecision.Operation]?
  /// The first exceeded limit. The transition is refused when the handler returns.
  var breach: Refusal?
  private var ending: Set<CoordinatorPath> = []

  /// Creates a transition without changes.
  ///
  /// - Parameters:
  ///   - state: the current state of the tree.
  ///   - catalogue: the flows that can be started.
  ///   - limits: the limits of the tree.
  ///   - moment: the time.
  ///   - caller: the client that calls; nil if there is none.
  ///   - retried: the held coordinator whose event a client has retried; nil if there is none.
  init(
    from state: TreeState, catalogue: FlowCatalogue, limits: Limits, at moment: Moment, caller: Caller? = nil,
    retried: CoordinatorPath? = nil
  ) {
    before = state
    after = state
    self.catalogue = catalogue
    self.limits = limits
    (now, elapsed) = (moment.wall, moment.elapsed)
    self.caller = caller
    self.retried = retried
  }

  /// The window after the transition.
  var window: Window { after.window }

  /// Returns whether a coordinator exists and is not about to end.
  func isAlive(_ path: CoordinatorPath) -> Bool { after.coordinators[path] != nil && !ending.contains(path) }

  /// Removes and returns the next handler to call.
  mutating func nextStep() -> Step? {
    if steps.isEmpty, redrawing != .none { scheduleRedrawing() }
    return steps.popFirst()
  }

  // MARK: Ending

  /// Ends a coordinator: first its children, newest first, as cancelled; then removes its screens and work, and
  /// schedules the notification of its parent (rule 1). Has no effect if the coordinator has already ended.
  mutating func end(
    _ path: CoordinatorPath, _ outcome: Outcome, secrets: [String: Secret] = [:], animated: Bool = true
  ) {
    guard isAlive(path), let record = after.coordinators[path] else { return }
    ending.insert(path)
    for child in record.children.reversed() { end(child, .cancelled, animated: animated) }
    ending.remove(path)

    cancelWork(of: path)
    if !record.belongings.isEmpty { giveUp(record.belongings) }
    after.end(path, outcome)
    ended.append(EndedCoordinator(path: path, flow: record.flow, outcome: outcome))
    steps.removeAll { $0.concerns(path) }
    if let parent = path.parent, isAlive(parent) { steps.append(.childEnded(record.child, outcome, secrets)) }
    let removed = after.changeWindow { $0.remove { $0.coordinator == path } }
    take(down: removed, .dismissed, animated: animated, by: path)
  }

  /// Removes the timers, secrets and form values of a coordinator that ends.
  private mutating func giveUp(_ belongings: Belongings) {
    wiped += belongings.secrets.values
    if !belongings.timers.isEmpty { changesTimers = true }
  }

  /// Records dismissed screens, and ends each coordinator that lost its last screen because of another coordinator.
  ///
  /// The coordinator that dismissed the screens and its ancestors are not ended: they decide themselves how to
  /// continue.
  mutating func take(
    down removed: [ShownScreen], _ reason: Removal, animated: Bool, by actor: CoordinatorPath
  ) {
    for screen in removed {
      removals[screen.id] = (reason, animated)
      forgetSent(screen)
    }
    for screen in removed {
      let owner = screen.coordinator
      guard owner != actor, !owner.isAncestor(of: actor), !window.hasScreens(of: owner) else { continue }
      end(owner, .cancelled, animated: animated)
    }
  }
}

/// The path, flow and outcome of a coordinator that ended.
public struct EndedCoordinator: Sendable, Hashable {
  /// The path of the coordinator.
  public let path: CoordinatorPath
  /// The name of its flow.
  public let flow: String
  /// The outcome.
  public let outcome: Outcome
}

/// A piece of work to start once the transition is stored.
struct WorkOrder: Sendable {
  let coordinator: CoordinatorPath
  let record: WorkRecord
  let secrets: [String: Secret]
  /// Whether the work may have started before the restart.
  var isRepeated = false
}

extension Transition.Step {
  /// Returns whether the step calls a handler of the given coordinator.
  func concerns(_ path: CoordinatorPath) -> Bool {
    switch self {
    case .start(let starting): starting == path
    case .childEnded(let child, _, _): child.path.parent == path
    case .childEmitted(let output, _): output.child.path.parent == path
    case .parentSent(_, let child, _): child == path
    case .redraw(let redrawn): redrawn == path
    }
  }
}

extension Transition {
  /// Returns whether Back may remove a screen of a child. False for the lowest screen of a tree that cannot be left.
  func mayLeave(_ id: ScreenID) -> Bool {
    guard window.screens.first?.id == id, let root = after.coordinators[after.root] else { return true }
    return catalogue[root.flow]?.description.canBeLeft != false
  }
}

extension Transition {
  /// Schedules the delivery of a value to the parent of the coordinator that emitted it. Has no effect for a root, and
  /// for a coordinator or a parent that is about to end.
  mutating func emit(
    _ value: any Codable & Sendable, secrets: [String: Secret], from path: CoordinatorPath
  ) {
    guard isAlive(path), let parent = path.parent, isAlive(parent), let child = after.coordinators[path]?.child else { return }
    schedule(.childEmitted(ChildOutput(child: child, value: value), secrets))
  }

  /// Schedules the delivery of a message to a child. Has no effect if the child is not one of the sender's, or is about
  /// to end.
  mutating func send(
    _ message: any Codable & Sendable, secrets: [String: Secret], to child: CoordinatorPath, from path: CoordinatorPath
  ) {
    guard child.parent == path, isAlive(child) else { return }
    schedule(.parentSent(message, to: child, secrets))
  }

  /// Schedules a delivery, unless the transition has reached the limit of deliveries.
  private mutating func schedule(_ step: Step) {
    guard steps.count < limits.maxHandlers else {
      breach = breach ?? .tooManyHandlers(limits)
      return
    }
    steps.append(step)
  }
}

extension Transition {
  /// Throws if the result of the transition exceeds a limit. Called after all handlers have run.
  func checkLimits() throws(Refusal) {
    if let breach { throw breach }
    var size = 0
    for screen in window.screens {
      size += screen.roughSize
      guard size <= limits.maxWindowSize else { throw .limitExceeded("the screens are too large to send") }
    }
    let difference = WindowDifference(from: before.window, to: window)
    for screen in difference.screens {
      if let old = difference.old(screen.id), old.content == screen.content { continue }
      try check(screen.content)
    }
  }

  private func check(_ screen: Screen) throws(Refusal) {
    if let items = screen.items, items.count > limits.maxItems {
      throw .limitExceeded("a list must not have more than \(limits.maxItems) items, but \(screen.name) has \(items.count)")
    }
    // A value is one level below the object that contains all values.
    guard screen.values.values.allSatisfy({ $0.depth < limits.maxNesting }) else {
      throw .limitExceeded("values must not be nested deeper than \(limits.maxNesting) levels")
    }
    guard screen.values.values.allSatisfy(\.canBeSent) else {
      throw .limitExceeded("values must not contain null in an array, NUL, or a non-finite number")
    }
  }

  /// Ends a root that has nothing left to show and no child or work to wait for (rule 1).
  ///
  /// - Returns: whether the root was ended.
  mutating func endIfNothingIsLeft() -> Bool {
    guard let root = after.coordinators[after.root], root.children.isEmpty, root.work.isEmpty, window.screens.isEmpty,
      root.belongings.childEnds.isEmpty
    else {
      return false
    }
    end(after.root, .failed(.nothingToShow))
    return true
  }
}

extension Screen {
  /// The approximate size on the bus in bytes, within a small factor.
  var roughSize: Int {
    var size = 512 + title.utf8.count + body.utf8.count
    for item in items ?? [] {
      size +=
        64 + item.id.utf8.count + item.title.utf8.count + (item.subtitle?.utf8.count ?? 0)
        + (item.group?.utf8.count ?? 0) + (item.disabled?.utf8.count ?? 0)
    }
    for action in actions {
      size += 96 + action.id.utf8.count + action.title.utf8.count + (action.summary?.utf8.count ?? 0)
      size += (action.confirmation?.utf8.count ?? 0) + (action.disabled?.utf8.count ?? 0)
    }
    for message in messages { size += 128 + message.code.utf8.count + message.text.utf8.count }
    for (key, value) in values { size += 32 + key.utf8.count + value.roughSize }
    if let extras { size += extras.values.roughSize }
    return size
  }
}

extension ScreenExtras.Values {
  /// The approximate size on the bus in bytes, within a small factor.
  fileprivate var roughSize: Int {
    var size = 128
    for id in (choosing?.initial ?? []) + (suggested ?? []) + [defaultChoice].compactMap(\.self) { size += 16 + id.utf8.count }
    for block in markup?.blocks ?? [] {
      size += 64
      for span in block.spans { size += 96 + span.text.utf8.count + (span.link?.utf8.count ?? 0) }
    }
    switch picture {
    case .image(let image, let description): size += image.bytes.count + description.utf8.count
    case .code(let text): size += text.utf8.count
    case nil: break
    }
    for row in review { size += 128 + row.title.utf8.count + row.value.utf8.count }
    return size
  }
}
