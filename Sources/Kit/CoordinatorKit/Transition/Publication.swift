/// The changes of a stored transition, as they are published: net differences only, in the order of the contract.
public struct Publication: Sendable {
  /// A screen that was dismissed.
  public struct Dismissed: Sendable, Hashable {
    /// The id of the screen.
    public let screen: ScreenID
    /// The reason, in the terms of the contract.
    public let reason: DismissalReason
    /// Whether renderers should animate the change.
    public let animated: Bool
  }

  /// A screen that was presented.
  public struct Presented: Sendable {
    /// The screen in its place.
    public let screen: ShownScreen
    /// Whether renderers should animate the change.
    public let animated: Bool
  }

  /// A screen whose content changed.
  public struct Updated: Sendable {
    /// The screen after the change.
    public let screen: ShownScreen
    /// The parts that changed.
    public let keys: Set<ScreenKey>
  }

  /// The tree after the transition.
  public internal(set) var state: TreeState
  /// Whether a screen changed, and therefore the revision.
  public let changesScreens: Bool
  /// The coordinators that were started and are still alive, parents first.
  public let started: [CoordinatorRecord]
  /// The coordinators that ended, in that order, including those that were started in the same transition.
  public let ended: [EndedCoordinator]
  /// The dismissed screens, top first.
  public let dismissed: [Dismissed]
  /// The presented screens, bottom first.
  public let presented: [Presented]
  /// The updated screens, bottom first.
  public let updated: [Updated]
  /// The screens that existed before and whose draft changed, bottom first. A draft does not change the revision.
  public let drafted: [ShownScreen]
  /// The live coordinators whose list of children changed.
  public let childrenChanged: [CoordinatorPath]
  /// Whether the language of the tree changed.
  public let changesLanguage: Bool
  /// Whether this is the transition that started the tree.
  public let isStart: Bool
  /// The coordinators whose handlers ran, or whose record changed for another reason.
  public internal(set) var touched: Set<CoordinatorPath>
  /// The migrated coordinators that a store must write completely, because its rows are in an older version's form.
  public internal(set) var rewritten: Set<CoordinatorPath> = []
  /// The time at which the transition began, in microseconds since 1970.
  public let time: UInt64
  /// The event that caused the transition, for the history.
  public internal(set) var occasion: Occasion
  /// The request key under which the answer is kept.
  public internal(set) var request: String?

  /// Schedules all parts of a migrated coordinator to be stored in the new form when one of them is stored, because rows of an
  /// older version must not be mixed with rows of this one.
  mutating func rewriteMigrated() {
    guard state.hasMigrated else { return }
    let screens = presented.map(\.screen) + updated.map(\.screen) + drafted
    rewritten = state.takeMigrated(of: touched.union(screens.map(\.coordinator)))
    touched.formUnion(rewritten)
  }

  /// A failure that did not end a coordinator, such as that of a piece of work; nil if it ended one.
  public var unendingFailure: Failure? {
    guard let failure = occasion.failure, !ended.contains(where: { $0.outcome == .failed(failure) }) else { return nil }
    return failure
  }

  /// Whether there is nothing to publish.
  public var isEmpty: Bool {
    !changesScreens && !changesLanguage && started.isEmpty && ended.isEmpty && drafted.isEmpty && !isStart
  }
}

/// Why a screen was dismissed; the raw values are the terms of the contract.
public enum DismissalReason: String, Sendable, Hashable, Codable {
  /// The user went back from it.
  case back
  /// Its coordinator dismissed it and is still alive.
  case dismissed
  /// Another screen replaced it.
  case replaced
  /// The flow timed out.
  case timeout
  /// Its coordinator ended as finished.
  case finished
  /// Its coordinator ended as cancelled.
  case cancelled
  /// Its coordinator failed.
  case failed
}

extension Transition {
  /// Completes the transition: increments the revision if a screen changed, and returns the changes to publish.
  @inline(never)
  mutating func seal(_ occasion: Occasion) -> Publication {
    // At this point, nothing else references the window's screens, so they are changed in place.
    let (dismissed, presented, changed, drafted) = changes()
    let isStart = before.revision == 0
    let changesScreens = !presented.isEmpty || !dismissed.isEmpty || !changed.isEmpty
    // Not earlier, because the reason for a dismissed screen depends on its coordinator's outcome.
    after.complete(isVisible: changesScreens || isStart)
    let revision = after.revision
    for id in presented { after.updateScreen(id) { $0.changedAt = revision } }
    for (id, keys) in changed {
      guard let old = before.window[id] else { continue }
      after.updateScreen(id) { $0.note(changesFrom: old, in: keys, at: revision) }
    }
    return Publication(
      state: after, changesScreens: changesScreens,
      started: started.compactMap { after.coordinators[$0] }, ended: ended, dismissed: dismissed,
      presented: presented.compactMap { id in
        window[id].map { Publication.Presented(screen: $0, animated: animations[id] ?? true) }
      },
      updated: changed.compactMap { id, keys in window[id].map { Publication.Updated(screen: $0, keys: keys) } },
      drafted: drafted.compactMap { window[$0] },
      childrenChanged: parentsOfChanges(), changesLanguage: after.isAlive && after.languageName != before.languageName,
      isStart: isStart, touched: touched, time: now,
      occasion: occasion)
  }

  private typealias Changes = (
    dismissed: [Publication.Dismissed], presented: [ScreenID], changed: [(id: ScreenID, keys: Set<ScreenKey>)],
    drafted: [ScreenID]
  )

  private func changes() -> Changes {
    let difference = WindowDifference(from: before.window, to: window)
    var changes: Changes = ([], [], [], [])
    for screen in difference.removed { changes.dismissed.append(dismissal(of: screen)) }
    for screen in difference.screens {
      guard let old = difference.old(screen.id) else {
        changes.presented.append(screen.id)
        continue
      }
      let keys = screen.keysThatDiffer(from: old)
      if !keys.isEmpty { changes.changed.append((screen.id, keys)) }
      if screen.draft != old.draft { changes.drafted.append(screen.id) }
    }
    return changes
  }

  private func dismissal(of screen: ShownScreen) -> Publication.Dismissed {
    let removal = removals[screen.id]
    return Publication.Dismissed(
      screen: screen.id, reason: reason(for: screen, removal?.reason), animated: removal?.animated ?? true)
  }

  private func reason(for screen: ShownScreen, _ removal: Removal?) -> DismissalReason {
    switch removal {
    case .back: return .back
    case .replaced: return .replaced
    case .dismissed, nil: break
    }
    switch after.outcomes[screen.coordinator] {
    case nil: return .dismissed
    case .finished: return .finished
    case .cancelled: return isTimeout ? .timeout : .cancelled
    case .failed: return .failed
    }
  }

  private func parentsOfChanges() -> [CoordinatorPath] {
    if started.isEmpty && ended.isEmpty { return [] }
    let parents = Set((started + ended.map(\.path)).compactMap(\.parent))
    let (before, after) = (before.coordinators, after.coordinators)
    return parents.filter { path in
      guard let now = after[path], let old = before[path] else { return false }
      return now.children != old.children
    }.sorted { $0.text < $1.text }
  }
}

extension ShownScreen {
  /// Returns the parts that a renderer would draw differently.
  func keysThatDiffer(from old: ShownScreen) -> Set<ScreenKey> {
    var keys: Set<ScreenKey> = []
    if messages != old.messages { keys.insert(.messages) }
    if back != old.back { keys.insert(.back) }
    if leaves != old.leaves { keys.insert(.leaves) }
    guard content != old.content else { return keys }
    if content.name != old.content.name { keys.insert(.name) }
    if content.kind != old.content.kind { keys.insert(.kind) }
    if content.title != old.content.title { keys.insert(.title) }
    if content.until != old.content.until { keys.insert(.until) }
    if content.body != old.content.body { keys.insert(.body) }
    if content.actions != old.content.actions { keys.insert(.actions) }
    if content.items != old.content.items { keys.insert(.items) }
    if content.extras != old.content.extras {
      keys.formUnion(ScreenExtras.Values.keysThatDiffer(content.extras?.values, old.content.extras?.values))
    }
    if content.form != old.content.form { keys.formUnion([.schema, .fields]) }
    if content.values != old.content.values { keys.insert(.values) }
    if content.progress != old.content.progress { keys.insert(.progress) }
    if content.accent != old.content.accent { keys.insert(.accent) }
    return keys
  }
}

/// The combined result of all handlers.
struct CompleteTransition: Sendable {
  /// The changes to store and then to publish.
  var publication: Publication
  /// The work to start once the transition is stored.
  let orders: [WorkOrder]
  /// The work to cancel once the transition is stored.
  let cancelledWork: [WorkID]
  /// The secrets to wipe once the transition is stored.
  let wiped: [Secret]
  /// Whether timers were started or stopped.
  let changesTimers: Bool
  /// The coordinators to which the end of a child is delivered later.
  let postponed: [CoordinatorPath: Hold.Obstacle]

  /// Seals a transition in place, without copying it.
  init(sealing transition: inout Transition, _ occasion: Occasion) {
    publication = transition.seal(occasion)
    orders = transition.orders
    cancelledWork = transition.cancelledWork
    wiped = transition.wiped
    changesTimers = transition.changesTimers
    postponed = transition.postponed
  }
}
