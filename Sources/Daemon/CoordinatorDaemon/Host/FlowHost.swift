import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Platform
import Logging

/// Hosts flow trees on a bus: starts them, exports them, and announces what they publish.
///
/// Shares the connection's executor, so that messages are sent in order and without switching threads. Never waits for
/// a tree: calls are posted to the tree's queue, and reads return what was published last.
actor FlowHost {
  nonisolated let connection: Connection
  nonisolated let catalogue: FlowCatalogue
  nonisolated let logger: Logger
  nonisolated let log: FlowLog
  nonisolated let bus: BusSender
  nonisolated let progress = ProgressCollector()
  /// The threads that run work.
  nonisolated let workPool = WorkPool()
  /// The schedule of checks for stuck handlers.
  nonisolated let handlerWatch: Lock<HandlerWatch>
  /// The limits of each flow tree.
  private nonisolated let treeLimits: Limits
  /// The journal that makes transitions durable; nil if there is none.
  nonisolated let journal = Lock<Journal?>(nil)
  /// The environment that all trees share, created once. Retains the host, which lives as long as its process.
  private nonisolated let commonEnvironment = Lock<FlowTree.Environment?>(nil)
  /// The id of the bus.
  nonisolated let busID: String
  /// The service manager that is notified of the daemon's state; nil for none.
  nonisolated let serviceManager: ServiceManager?
  /// The times at which the daemon may end because it is idle; nil if it never does.
  nonisolated let idleTimes: IdleTimes?
  /// The wall clock.
  nonisolated let clock: WallClock
  let flowList: Value
  /// The effective configuration. A reload changes it.
  var configuration: DaemonConfiguration
  var restoration: Restoration<IncomingCall>
  var roots: RootRegistry
  var retries = RetryLine<IncomingCall>()
  var clients = ClientTable<DepartureWatch>()
  /// The request that was read from the latest call with a request key, so that its object need not read it again.
  var readAhead: (sender: String, serial: UInt32, request: TreeRequest)?
  var deadlines = DeadlineQueue()
  /// The alarm that serves all deadlines, and the time it is set to.
  var alarm: (any WallAlarm)?
  var alarmTime: UInt64?
  var drainWaiters: [CheckedContinuation<Void, Never>] = []
  var isClosing = false
  /// Whether all flows are being ended because the daemon ends and persists nothing.
  var isEndingAll = false
  var statusPace = StatusPace()
  var idleWatch: IdleWatch
  var idleTimer: ScheduledTimer?

  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

  init(
    connection: Connection, catalogue: FlowCatalogue, configuration: DaemonConfiguration, busID: String, logger: Logger,
    serviceManager: ServiceManager? = nil, clock: WallClock = .system
  ) {
    self.connection = connection
    self.busID = busID
    self.serviceManager = serviceManager
    self.clock = clock
    idleWatch = IdleWatch(time: configuration.idleExit)
    idleTimes = configuration.journal == nil ? nil : IdleTimes()
    restoration = Restoration(hasJournal: configuration.journal != nil)
    self.catalogue = catalogue
    self.configuration = configuration
    handlerWatch = Lock(HandlerWatch(deadline: configuration.handlerDeadline))
    treeLimits = configuration.limits.ofTree
    self.logger = logger
    log = FlowLog(logger: logger)
    bus = BusSender(connection: connection, logger: logger)
    roots = RootRegistry(limits: configuration.limits)
    flowList = .vardicts(catalogue.descriptions.map(\.vardict))
  }

  /// Returns the environment for the tree of a new root. The tree is stored if there is a journal.
  nonisolated func environment(starting root: StoredRoot) -> FlowTree.Environment {
    var environment = environment
    environment.store = journal.withLock { $0?.store(of: root, in: catalogue) }
    return environment
  }

  /// Returns the environment for the tree of a restored root.
  nonisolated func environment(restoring root: StoredRoot) -> FlowTree.Environment {
    var environment = environment
    environment.store = journal.withLock { $0?.store(ofRestored: root, in: catalogue) }
    return environment
  }

  /// The environment that all trees share.
  private nonisolated var environment: FlowTree.Environment {
    commonEnvironment.withLock { common in
      if let common { return common }
      var environment = FlowTree.Environment(
        catalogue: catalogue, limits: treeLimits, observer: self, executor: connection.loop.taskExecutor,
        now: clock.now)
      environment.makeWorkExecutor = { self.workPool.lane() }
      environment.whenBusy = { self.watchHandlers() }
      environment.unawaited = UnawaitedEvents { [connection] in connection.loop.schedule(after: $0, $1) }
      common = environment
      return environment
    }
  }

  /// A reader of calls that applies the current limits.
  var reader: CallReader { CallReader(maxPayload: configuration.limits.maxPayload) }

  /// Returns the live root that an object belongs to.
  func liveRoot(of path: CoordinatorPath) -> LiveRoot? { roots.live[String(path.root)] }

  /// Returns the root that an object belongs to, whether it is live or held.
  func hostedRoot(of path: CoordinatorPath) -> HostedRoot? { roots.hosted(String(path.root)) }
}

extension FlowDescription {
  /// The flow as an entry in the result of `ListFlows`.
  fileprivate var vardict: [String: Value] {
    let schema = (try? Value(json: input.schema.json)) ?? .vardict([:])
    return [
      "name": .string(name), "title": .string(title), "summary": .string(summary), "input": schema,
      "rehearsable": .boolean(isRehearsable),
    ]
  }
}
