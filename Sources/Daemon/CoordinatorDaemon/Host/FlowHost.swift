import CoordinatorBus
import CoordinatorKit
import DBus
import Logging
import Platform

/// Hosts flow trees on a bus. Connects the parts that read calls, make decisions, run trees, and announce changes.
///
/// Shares the connection's executor, so that messages are sent in order and without switching threads. Never waits for
/// a tree: calls are posted to the tree's queue, and reads return what was published last.
actor FlowHost {
  nonisolated let connection: Connection
  nonisolated let catalogue: FlowCatalogue
  nonisolated let logger: Logger
  nonisolated let log: FlowLog
  nonisolated let bus: BusSender
  nonisolated let environments: TreeEnvironments
  /// Who serves which flow from outside of the daemon.
  nonisolated let provider: BusProvider
  nonisolated let providedFlows: ProvidedFlows
  nonisolated let progress = ProgressCollector()
  nonisolated let status: ServiceStatus
  /// The schedule of checks for stuck handlers.
  nonisolated let handlerWatch: Lock<HandlerWatch<ScheduledTimer>>
  /// The id of the bus.
  nonisolated let busID: String
  /// The times at which the daemon may end because it is idle; nil if it never does.
  nonisolated let idleTimes: IdleTimes?
  /// The clocks of the machine.
  nonisolated let clock: MachineClock
  /// The result of `ListFlows` for a caller from whom no flow is hidden.
  lazy var flowList = listedFlows
  /// The effective configuration. A reload changes it.
  var configuration: DaemonConfiguration
  var restoration: Restoration<IncomingCall>
  var roots: RootRegistry
  var retries = RetryLine<IncomingCall>()
  var clients = ClientTable<DepartureWatch>()
  var deadlines = Deadlines()
  /// Whether ``Deadline/noteTime`` is set.
  var notesTime = false
  /// The watches on the owners of the names that serve flows, and who owns them.
  var nameWatches: [String: OwnerWatch] = [:]
  var nameOwners: [String: String] = [:]
  /// The watch on the directories with provider files; nil for none.
  var providerWatch: DirectoryWatch?
  var providerReads = ProviderReads()
  var drainWaiters: [CheckedContinuation<Void, Never>] = []
  var isClosing = false
  /// Whether all flows are being ended because the daemon ends and persists nothing.
  var isEndingAll = false
  var idleWatch: IdleWatch
  var idleTimer: ScheduledTimer?

  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

  init(
    connection: Connection, catalogue: FlowCatalogue, configuration: DaemonConfiguration, busID: String, logger: Logger,
    serviceManager: ServiceManager? = nil, clock: MachineClock = .system
  ) {
    self.connection = connection
    self.busID = busID
    self.clock = clock
    log = FlowLog(logger: logger)
    provider = BusProvider(
      connection: connection, isSystem: configuration.bus == .system, startTime: configuration.providerStartTime, log: log)
    providedFlows = ProvidedFlows(provider: provider)
    var catalogue = catalogue
    catalogue.provided = providedFlows
    self.catalogue = catalogue
    self.configuration = configuration
    self.logger = logger
    bus = BusSender(connection: connection, logger: logger)
    environments = TreeEnvironments(
      catalogue: catalogue, limits: configuration.limits.ofTree, clock: clock, loop: connection.loop)
    status = ServiceStatus(manager: serviceManager, loop: connection.loop)
    handlerWatch = Lock(HandlerWatch(deadline: configuration.handlerDeadline))
    idleWatch = IdleWatch(time: configuration.idleExit)
    idleTimes = configuration.journal == nil ? nil : IdleTimes()
    restoration = Restoration(hasJournal: configuration.journal != nil)
    roots = RootRegistry(limits: configuration.limits)
  }

  /// A reader of calls that applies the current limits.
  var reader: CallReader { CallReader(maxPayload: configuration.limits.maxPayload) }

  /// Returns the live root that an object belongs to.
  func liveRoot(of path: CoordinatorPath) -> LiveRoot? { roots.live[String(path.root)] }

  /// Returns the root that an object belongs to, whether it is live or held.
  func hostedRoot(of path: CoordinatorPath) -> HostedRoot? { roots.hosted(String(path.root)) }
}
