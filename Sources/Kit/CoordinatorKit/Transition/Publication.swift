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
  /// The migrated coordinators that a store must write completely, because it contains their screens in an older
  /// version's form.
  public internal(set) var rewritten: Set<CoordinatorPath> = []
  /// The time at which the transition began, in microseconds since 1970.
  public let time: UInt64
  /// The event that caused the transition, for the history.
  public internal(set) var occasion: Occasion
  /// The request key under which the answer is kept.
  public internal(set) var request: String?

  /// Schedules everything of a migrated coordinator to be stored in its new form as soon as any part of it is, because
  /// rows of an older version must not be mixed with rows of this one.
  mutating func rewriteMigrated() {
    guard !state.migrated.isEmpty else { return }
    let screens = presented.map(\.screen) + updated.map(\.screen) + drafted
    rewritten = state.migrated.intersection(touched.union(screens.map(\.coordinator)))
    touched.formUnion(rewritten)
    state.migrated.subtract(rewritten)
    state.migrated = state.migrated.filter { state.coordinators[$0] != nil }
  }

  /// What failed without ending a coordinator, such as a piece of work; nil if a coordinator has ended by the same.
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
