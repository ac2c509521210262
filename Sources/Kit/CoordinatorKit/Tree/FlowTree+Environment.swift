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

  /// Returns the time by the clock that nobody can set; nil if nobody sets the other one either, as in tests.
  package var elapsed: (@Sendable () -> ElapsedTime)? {
    get { shared.values.elapsed }
    set { change { $0.elapsed = newValue } }
  }

  /// The time by both clocks.
  package var moment: Moment {
    let wall = now()
    return elapsed.map { Moment(wall: wall, elapsed: $0()) } ?? Moment(unset: wall)
  }

  /// The start of the machine, from which durations go on that were begun before.
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

  /// Called from any thread when work begins to wait for somebody to look; see ``WorkContext/untilWatched()``.
  package var whenWorkWaits: @Sendable () -> Void {
    get { shared.values.whenWorkWaits }
    set { change { $0.whenWorkWaits = newValue } }
  }

  /// Called when another timer of a tree is the first to go off, with its time. At that time, ``FlowTree/fireTimer()`` has
  /// to be called; too early, it has no effect.
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
