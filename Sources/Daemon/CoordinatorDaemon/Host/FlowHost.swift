import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Platform
import Logging

/// Hosts flow trees on a bus: starts them, exports them, and tells the bus what they publish.
///
/// Shares the connection's executor, so that it sends without a hop and in order. It never waits for a tree: calls are posted to the
/// tree's queue, and reads show what was last published.
actor FlowHost {
  nonisolated let connection: Connection
  nonisolated let catalogue: FlowCatalogue
  nonisolated let logger: Logger
  nonisolated let log: FlowLog
  nonisolated let bus: BusSender
  nonisolated let progress = ProgressCollector()
  /// Where work runs.
  nonisolated let workPool = WorkPool()
  /// Looks for handlers that do not return.
  nonisolated let handlerWatch: Lock<HandlerWatch>
  /// What one flow tree may hold.
  private nonisolated let treeLimits: Limits
  /// What makes transitions durable; nil if nothing does.
  nonisolated let journal = Lock<Journal?>(nil)
  /// Made once, since every tree has it. Holds the host, which lives as long as its process.
  private nonisolated let commonEnvironment = Lock<FlowTree.Environment?>(nil)
  /// The id of the bus.
  nonisolated let busID: String
  /// Who is told how the daemon is doing; nil for nobody.
  nonisolated let serviceManager: ServiceManager?
  /// Each time that the daemon may end for want of flows; nil if it never does.
  nonisolated let idleTimes: IdleTimes?
  /// What time it is.
  nonisolated let clock: WallClock
  let flowList: Value
  /// What holds now: a reload changes it.
  var configuration: DaemonConfiguration
  var restoration: Restoration<IncomingCall>
  var roots: RootRegistry
  var retries = RetryLine<IncomingCall>()
  var clients = ClientTable<DepartureWatch>()
  /// What was read of the call with a request key that came last, so that its object need not read it again.
  var readAhead: (sender: String, serial: UInt32, request: TreeRequest)?
  var deadlines = DeadlineQueue()
  /// The one alarm for all of them, and what it is set to.
  var alarm: (any WallAlarm)?
  var alarmTime: UInt64?
  var drainWaiters: [CheckedContinuation<Void, Never>] = []
  var isClosing = false
  /// Whether it ends its flows because it ends itself, and keeps nothing.
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

  /// What the tree of a root works with, which is stored if there is a journal.
  nonisolated func environment(starting root: StoredRoot) -> FlowTree.Environment {
    var environment = environment
    environment.store = journal.withLock { $0?.store(of: root, in: catalogue) }
    return environment
  }

  /// What the tree of a root works with that was taken up again.
  nonisolated func environment(restoring root: StoredRoot) -> FlowTree.Environment {
    var environment = environment
    environment.store = journal.withLock { $0?.store(ofRestored: root, in: catalogue) }
    return environment
  }

  /// What all trees work with.
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

  /// Reads calls, within the limits that hold now.
  var reader: CallReader { CallReader(maxPayload: configuration.limits.maxPayload) }

  /// The live root that an object belongs to.
  func liveRoot(of path: CoordinatorPath) -> LiveRoot? { roots.live[String(path.root)] }

  /// The root that an object belongs to, whether events reach it or not.
  func hostedRoot(of path: CoordinatorPath) -> HostedRoot? { roots.hosted(String(path.root)) }
}

extension FlowDescription {
  /// The flow as ListFlows tells of it.
  fileprivate var vardict: [String: Value] {
    let schema = (try? Value(json: input.schema.json)) ?? .vardict([:])
    return [
      "name": .string(name), "title": .string(title), "summary": .string(summary), "input": schema,
      "rehearsable": .boolean(isRehearsable),
    ]
  }
}
