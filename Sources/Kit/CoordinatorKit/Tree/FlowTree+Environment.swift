extension FlowTree {
  /// What a flow tree works with; the same for all trees of a daemon, but for the store.
  ///
  /// Copies share one piece of memory until they are changed: there may be very many trees.
  public struct Environment: Sendable {
    /// Who makes transitions durable; nil if nobody does.
    public var store: (any TransitionStore)?
    private var shared: Shared

    /// Puts an environment together.
    ///
    /// - Parameters:
    ///   - catalogue: the flows that can be started.
    ///   - limits: how much a tree may hold.
    ///   - observer: who tells the world.
    ///   - store: who makes transitions durable; nil if nobody does.
    ///   - executor: where handlers run by preference; nil for the global pool. Work never runs there.
    ///   - now: the time, in microseconds since 1970.
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
    var unawaited = UnawaitedEvents()
    var whenBusy: @Sendable () -> Void = {}
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

  /// How much a tree may hold.
  public var limits: Limits {
    get { shared.values.limits }
    set { change { $0.limits = newValue } }
  }

  /// Who tells the world.
  public var observer: any TreeObserver {
    get { shared.values.observer }
    set { change { $0.observer = newValue } }
  }

  /// Where handlers run by preference; nil for the global pool.
  public var executor: (any TaskExecutor)? {
    get { shared.values.executor }
    set { change { $0.executor = newValue } }
  }

  /// Makes an executor for work, which may block or never end: each tree has its own. The global pool unless told otherwise.
  public var makeWorkExecutor: @Sendable () -> any TaskExecutor {
    get { shared.values.makeWorkExecutor }
    set { change { $0.makeWorkExecutor = newValue } }
  }

  /// Microseconds since 1970.
  public var now: @Sendable () -> UInt64 {
    get { shared.values.now }
    set { change { $0.now = newValue } }
  }

  /// Hands to the trees what nobody waits for (work that is done, a timeout), again if it could not be stored.
  package var unawaited: UnawaitedEvents {
    get { shared.values.unawaited }
    set { change { $0.unawaited = newValue } }
  }

  /// Called when an idle tree begins to take turns, from any thread.
  package var whenBusy: @Sendable () -> Void {
    get { shared.values.whenBusy }
    set { change { $0.whenBusy = newValue } }
  }

  /// Is handed what tells a coordinator that its work is done, and does so at once; a test kit holds it back.
  package var whenWorkIsDone: @Sendable (WorkID, _ tell: @escaping @Sendable () -> Void) -> Void {
    get { shared.values.whenWorkIsDone }
    set { change { $0.whenWorkIsDone = newValue } }
  }
}
