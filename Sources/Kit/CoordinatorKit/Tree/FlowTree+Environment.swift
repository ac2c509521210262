extension FlowTree {
  /// The environment of a flow tree. All trees of a daemon have the same one, except for the store.
  ///
  /// Copies share memory until they are changed, because there may be very many trees.
  public struct Environment: Sendable {
    /// The store that persists transitions; nil for none.
    public var store: (any TransitionStore)?
    private var shared: Shared

    /// Creates an environment.
    ///
    /// - Parameters:
    ///   - catalogue: the flows that can be started.
    ///   - limits: the limits of a tree.
    ///   - observer: the observer that publishes changes.
    ///   - store: the store that persists transitions; nil for none.
    ///   - executor: the preferred executor of handlers; nil for the global pool. Work never runs on it.
    ///   - now: returns the time in microseconds since 1970.
    public init(
      catalogue: FlowCatalogue, limits: Limits = Limits(), observer: any TreeObserver,
      store: (any TransitionStore)? = nil, executor: (any TaskExecutor)? = nil, now: @escaping @Sendable () -> UInt64
    ) {
      self.store = store
      shared = Shared(Values(catalogue: catalogue, limits: limits, observer: observer, executor: executor, now: now))
    }
  }
}

extension FlowTree.Environment {
  private struct Values: Sendable {
    var catalogue: FlowCatalogue
    var limits: Limits
    var observer: any TreeObserver
    var executor: (any TaskExecutor)?
    var makeWorkExecutor: @Sendable () -> any TaskExecutor = { globalConcurrentExecutor }
    var now: @Sendable () -> UInt64
    var elapsed: (@Sendable () -> ElapsedTime)?
    var startOfMachine = MachineStart(Moment(unset: 0))
    var unawaited = UnawaitedEvents()
    var whenBusy: @Sendable () -> Void = {}
    var schedule: @Sendable (_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Void = { delay, body in
      Task(executorPreference: globalConcurrentExecutor) {
        try? await Task.sleep(for: delay)
        body()
      }
    }
    var sleep: @Sendable (WorkID, _ duration: Duration) async throws -> Void = { try await Task.sleep(for: $1) }
    var whenWorkWaits: @Sendable () -> Void = {}
    var whenTimersChange: @Sendable (_ root: CoordinatorPath, _ next: NextTimers) -> Void = { _, _ in }
    var whenWorkIsDone: @Sendable (WorkID, _ tell: @escaping @Sendable () -> Void) -> Void = { _, tell in tell() }
  }

  private final class Shared: Sendable {
    let values: Values
    init(_ values: Values) { self.values = values }
  }

  private mutating func change(_ change: (inout Values) -> Void) {
    var values = shared.values
    change(&values)
    shared = Shared(values)
  }

  /// The flows that can be started.
  public var catalogue: FlowCatalogue {
    get { shared.values.catalogue }
    set { change { $0.catalogue = newValue } }
  }

  /// The limits of a tree.
  public var limits: Limits {
    get { shared.values.limits }
    set { change { $0.limits = newValue } }
  }

  /// The observer that publishes changes.
  public var observer: any TreeObserver {
    get { shared.values.observer }
    set { change { $0.observer = newValue } }
  }

  /// The preferred executor of handlers; nil for the global pool.
  public var executor: (any TaskExecutor)? {
    get { shared.values.executor }
    set { change { $0.executor = newValue } }
  }

  /// Creates an executor for work, which may block or never end. Each tree uses its own. The default is the global
  /// pool.
  public var makeWorkExecutor: @Sendable () -> any TaskExecutor {
    get { shared.values.makeWorkExecutor }
    set { change { $0.makeWorkExecutor = newValue } }
  }

  /// Returns the time in microseconds since 1970.
  public var now: @Sendable () -> UInt64 {
    get { shared.values.now }
    set { change { $0.now = newValue } }
  }

  /// Returns the time by the monotonic clock; nil if the clock that ``now`` reads is never set either, as in tests.
  package var elapsed: (@Sendable () -> ElapsedTime)? {
    get { shared.values.elapsed }
    set { change { $0.elapsed = newValue } }
  }

  /// The time by both clocks.
  package var moment: Moment {
    let wall = now()
    return elapsed.map { Moment(wall: wall, elapsed: $0()) } ?? Moment(unset: wall)
  }

  /// The start of the machine, from which durations continue that began earlier.
  package var startOfMachine: MachineStart {
    get { shared.values.startOfMachine }
    set { change { $0.startOfMachine = newValue } }
  }

  /// Delivers events for which no caller waits (completed work, timeouts) to the trees, and retries those that could
  /// not be stored.
  package var unawaited: UnawaitedEvents {
    get { shared.values.unawaited }
    set { change { $0.unawaited = newValue } }
  }

  /// Called from any thread when an idle tree starts to handle events.
  package var whenBusy: @Sendable () -> Void {
    get { shared.values.whenBusy }
    set { change { $0.whenBusy = newValue } }
  }

  /// Calls a closure after a delay, from any thread. The default waits in a task of the global pool.
  package var schedule: @Sendable (_ delay: Duration, _ body: @escaping @Sendable () -> Void) -> Void {
    get { shared.values.schedule }
    set { change { $0.schedule = newValue } }
  }

  /// Waits on behalf of work; see ``WorkContext/sleep(for:)``. The default waits in real time; a test kit waits for its
  /// clock.
  package var sleep: @Sendable (WorkID, _ duration: Duration) async throws -> Void {
    get { shared.values.sleep }
    set { change { $0.sleep = newValue } }
  }

  /// Called from any thread when work begins to wait for a viewer; see ``WorkContext/untilWatched()``.
  package var whenWorkWaits: @Sendable () -> Void {
    get { shared.values.whenWorkWaits }
    set { change { $0.whenWorkWaits = newValue } }
  }

  /// Called when a different timer of a tree is the next to fire, with its time. At that time, the implementation must call
  /// ``FlowTree/fireTimer()``; an earlier call has no effect.
  package var whenTimersChange: @Sendable (_ root: CoordinatorPath, _ next: NextTimers) -> Void {
    get { shared.values.whenTimersChange }
    set { change { $0.whenTimersChange = newValue } }
  }

  /// Called with a closure that notifies a coordinator of the end of its work. The default calls the closure
  /// immediately; a test kit holds it back.
  package var whenWorkIsDone: @Sendable (WorkID, _ tell: @escaping @Sendable () -> Void) -> Void {
    get { shared.values.whenWorkIsDone }
    set { change { $0.whenWorkIsDone = newValue } }
  }
}

/// Publishes the changes of a flow tree, for example on D-Bus.
///
/// ```swift
/// actor Counter: TreeObserver {
///   private(set) var revisions = 0
///   func publish(_ publication: Publication) { if publication.changesScreens { revisions += 1 } }
///   nonisolated func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {}
/// }
/// ```
public protocol TreeObserver: Sendable {
  /// Called after a transition was stored. Your implementation should publish the changes. The tree continues, and
  /// replies to the call that caused the transition, after this method has returned.
  ///
  /// - Parameter publication: the changes, and the new state of the tree.
  func publish(_ publication: Publication) async

  /// Called after a transition was stored that has nothing to publish, because only the state of coordinators has changed.
  ///
  /// The default does nothing.
  func note(_ publication: Publication) async

  /// Called after screens changed because work reported a value that they are computed from. Your implementation should
  /// show the changes; they are not part of a transition, and the revision is the same as before.
  ///
  /// The default does nothing.
  ///
  /// - Parameters:
  ///   - live: the screens that changed, bottom first.
  ///   - state: the tree with these screens.
  func publish(live: [Publication.Updated], of state: TreeState) async

  /// Called when the work on a screen reports progress, at any rate and from any thread. Your implementation should
  /// show the progress; it is not part of a transition.
  ///
  /// - Parameters:
  ///   - progress: how far the work has progressed.
  ///   - screen: the screen that shows the progress; it may no longer exist.
  ///   - root: the path of the tree's root coordinator.
  func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath)
}

extension TreeObserver {
  /// Does nothing.
  public func note(_ publication: Publication) async {}

  /// Does nothing.
  public func publish(live: [Publication.Updated], of state: TreeState) async {}
}

/// Persists transitions.
///
/// ```swift
/// actor MemoryStore: TransitionStore {
///   private var tree: StoredTree?
///   let catalogue: FlowCatalogue
///   init(catalogue: FlowCatalogue) { self.catalogue = catalogue }
///
///   func commit(_ publication: Publication) throws {
///     let change = try publication.change(in: catalogue)
///     if tree == nil { tree = StoredTree(startedBy: change) } else { tree?.apply(change) }
///   }
/// }
/// ```
public protocol TransitionStore: Sendable {
  /// Called to store a transition. Your implementation should return when the transition is guaranteed to survive a
  /// crash.
  ///
  /// - Parameter publication: the changes, and the new state of the tree.
  /// - Throws: any error, if the transition was not stored. The tree then remains unchanged, and the caller receives
  ///   ``CallError/notStored(_:)``.
  func commit(_ publication: Publication) async throws
}

/// The limits of one flow tree. A transition that exceeds a limit is refused.
public struct Limits: Sendable, Hashable {
  /// The maximum depth of a tree, in coordinators; a root alone has depth 1.
  public var maxDepth = 64
  /// The maximum number of rows in a list.
  public var maxItems = 10_000
  /// The maximum number of screens in a window, including covered ones.
  public var maxScreens = 1_000
  /// The maximum number of running pieces of work in a tree.
  public var maxWork = 64
  /// The maximum number of timers in a tree.
  public var maxTimers = 256
  /// The maximum number of secrets that a coordinator keeps.
  public var maxSecrets = 16
  /// The approximate maximum size of the inputs of all coordinators in a tree, in bytes of memory.
  public var maxInputSize = 8 << 20
  /// The maximum nesting depth of values that are received or sent.
  public var maxNesting = 8
  /// The maximum number of calls in a tree's queue.
  public var maxWaitingCalls = 4_096
  /// The maximum number of handlers that one event may trigger. Stops a flow that starts children endlessly.
  public var maxHandlers = 10_000
  /// The total time for which one event waits for the processes that serve the flows of its coordinators. Callers on the bus
  /// give up after 25 seconds.
  public var maxProviderTime = Duration.seconds(20)
  /// The approximate maximum size of all screens of a window, in bytes on the bus.
  public var maxWindowSize = 8 << 20

  /// The approximate maximum size of the draft of a screen, in bytes of memory.
  public var maxDraftSize = 64 << 10

  /// Creates the default limits.
  public init() {}
}
