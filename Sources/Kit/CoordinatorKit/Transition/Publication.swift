/// What the world is told of a stored transition, in the order of the contract: net differences only.
public struct Publication: Sendable {
  /// A screen that was taken down.
  public struct Dismissed: Sendable, Hashable {
    /// Which one.
    public let screen: ScreenID
    /// Why, in the contract's words.
    public let reason: DismissalReason
    /// Whether renderers should animate it.
    public let animated: Bool
  }

  /// A screen that was put up.
  public struct Presented: Sendable {
    /// The screen in its place.
    public let screen: ShownScreen
    /// Whether renderers should animate it.
    public let animated: Bool
  }

  /// A screen that shows something else than before.
  public struct Updated: Sendable {
    /// The screen as it is now.
    public let screen: ShownScreen
    /// What changed of it.
    public let keys: Set<ScreenKey>
  }

  /// The tree after the transition.
  public internal(set) var state: TreeState
  /// Whether a screen changed, and with it the revision.
  public let changesScreens: Bool
  /// The coordinators that were started and still live, parents first.
  public let started: [CoordinatorRecord]
  /// The coordinators that ended, in that order. One that was started in the same transition is among them.
  public let ended: [EndedCoordinator]
  /// What was taken down, top first.
  public let dismissed: [Dismissed]
  /// What was put up, bottom first.
  public let presented: [Presented]
  /// What shows something else, bottom first.
  public let updated: [Updated]
  /// The screens that were there before and of which another draft is kept now, bottom first. That changes no revision.
  public let drafted: [ShownScreen]
  /// The coordinators that live and have other children than before.
  public let childrenChanged: [CoordinatorPath]
  /// Whether this is the transition that started the tree.
  public let isStart: Bool
  /// The coordinators whose handlers ran, or of whom something else is no longer as it was.
  public internal(set) var touched: Set<CoordinatorPath>
  /// Those of which a store has all screens in the form of an older version of their flow, and is to have all in this one's.
  public internal(set) var rewritten: Set<CoordinatorPath> = []
  /// When it was begun, in microseconds since 1970.
  public let time: UInt64
  /// What set the transition off.
  public let occasion: Occasion
  /// The request key under which its answer is kept.
  public internal(set) var request: String?

  /// Has everything of a migrated coordinator stored in its new form as soon as anything of it is: a row of an older version cannot stand beside
  /// one of this version.
  mutating func rewriteMigrated() {
    guard !state.migrated.isEmpty else { return }
    let screens = presented.map(\.screen) + updated.map(\.screen) + drafted
    rewritten = state.migrated.intersection(touched.union(screens.map(\.coordinator)))
    touched.formUnion(rewritten)
    state.migrated.subtract(rewritten)
    state.migrated = state.migrated.filter { state.coordinators[$0] != nil }
  }

  /// Whether there is nothing to tell.
  public var isEmpty: Bool { !changesScreens && started.isEmpty && ended.isEmpty && drafted.isEmpty && !isStart }
}

/// Why a screen was taken down; the raw values are the contract's words.
public enum DismissalReason: String, Sendable, Hashable, Codable {
  /// The user went back from it.
  case back
  /// Its living coordinator took it down.
  case dismissed
  /// Another one stands in its place.
  case replaced
  /// The flow's time was up.
  case timeout
  /// Its coordinator ended as finished.
  case finished
  /// Its coordinator ended as cancelled.
  case cancelled
  /// Its coordinator failed.
  case failed
}
