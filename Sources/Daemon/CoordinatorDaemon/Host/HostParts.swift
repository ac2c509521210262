import CoordinatorKit
import DBus
import Logging
import Platform

/// The parts of a host. Each keeps its own state, and uses only parts that are created before it. Used only on the host's
/// executor.
final class HostParts {
  let settings: HostSettings
  let roots: RootRegistry
  let heldBack: HeldBackCalls
  let access: AccessPolicy
  let clients: ClientWatch
  let deadlines: Deadlines
  let ending = HostEnding()
  let activity: HostActivity
  let attachments: Attachments
  let flows: OfferedFlows
  let providers: ProviderDirectory
  let providerFiles: ProviderFileWatch
  let providerCalls: ProviderCalls
  let workCalls: WorkCalls
  let scripts: ScriptProgram
  let starts: FlowStarts
  let announcer: Announcer
  let stuckTrees: StuckTrees
  let restored: RestoredTrees
  let heldTrees: HeldTrees
  let manager: ManagerCalls

  /// Creates the parts of a host that is about to be created.
  init(of host: HostServices, _ configuration: DaemonConfiguration) {
    settings = HostSettings(configuration)
    roots = RootRegistry(limits: configuration.limits)
    heldBack = HeldBackCalls(hasJournal: configuration.journal != nil, connection: host.connection)
    access = AccessPolicy(of: host, settings: settings, roots: roots)
    clients = ClientWatch(of: host, roots: roots)
    deadlines = Deadlines(of: host)
    activity = HostActivity(
      idleAfter: configuration.idleExit, of: host, roots: roots, clients: clients, calls: heldBack)
    attachments = Attachments(
      of: host, settings: settings, roots: roots, clients: clients, access: access, activity: activity)
    flows = OfferedFlows(of: host)
    providers = ProviderDirectory(
      of: host, settings: settings, roots: roots, clients: clients, activity: activity, flows: flows)
    providerFiles = ProviderFileWatch(of: host, settings: settings, directory: providers)
    providerCalls = ProviderCalls(of: host, settings: settings, roots: roots, clients: clients, directory: providers)
    workCalls = WorkCalls(of: host, roots: roots)
    scripts = ScriptProgram(of: host, settings: settings)
    starts = FlowStarts(
      of: host, settings: settings, roots: roots, heldBack: heldBack, clients: clients, deadlines: deadlines, ending: ending,
      scripts: scripts)
    announcer = Announcer(
      of: host, roots: roots, access: access, clients: clients, attachments: attachments, starts: starts,
      deadlines: deadlines, activity: activity, ending: ending)
    stuckTrees = StuckTrees(of: host, roots: roots, starts: starts)
    restored = RestoredTrees(
      of: host, settings: settings, roots: roots, heldBack: heldBack, access: access, clients: clients, deadlines: deadlines,
      activity: activity)
    heldTrees = HeldTrees(
      of: host, roots: roots, heldBack: heldBack, access: access, attachments: attachments, activity: activity)
    manager = ManagerCalls(
      of: host, settings: settings, roots: roots, heldBack: heldBack, access: access, clients: clients, flows: flows)
  }

  /// Called when a client has left the bus that ``clients`` watches.
  func clientHasLeft(_ sender: String) {
    roots.forgetStarts(of: sender)
    providers.hasLeft(sender)
    attachments.hasLeft(sender)
  }

  /// Called when the alarm of a clock has expired. Ends the flows whose timeouts have passed, and fires timers.
  func alarmHasGoneOff(_ kind: ClockTimer.Clock) {
    for deadline in deadlines.takeDue(by: kind) {
      switch deadline {
      case .timeout(let name): roots.live[name]?.tree.closeInTurn(isTimeout: true)
      case .timer(let name): roots.tree(name)?.fireTimer()
      case .noteTime: break
      }
    }
  }

  /// Adopts the settings of a configuration that can change. They apply to calls made from now on.
  func adopt(_ latest: DaemonConfiguration) {
    let changes = settings.adopt(latest)
    if changes.providers { providerFiles.watchDirectories() }
    if changes.idleExit { activity.change(to: latest.idleExit) }
    roots.limitInputs(settings.configuration.limits)
  }
}

/// The services that a host and its parts share. May be used from any thread, except ``bus``, which is used only on the
/// connection's executor.
struct HostServices: Sendable {
  let connection: Connection
  /// The id of the bus.
  let busID: String
  let catalogue: FlowCatalogue
  let logger: Logger
  let log: FlowLog
  let bus: BusSender
  let environments: TreeEnvironments
  /// Asks the programs that serve flows from outside the daemon.
  let provider: BusProvider
  let providedFlows: ProvidedFlows
  let progress = ProgressCollector()
  let status: ServiceStatus
  /// Schedules the checks for stuck handlers.
  let handlers: HandlerTimer
  /// The times at which the daemon may end because it is idle; nil if it never does.
  let idleTimes: IdleTimes?
  /// The clocks of the machine.
  let clock: MachineClock
  /// Gives closures that run later access to the parts of the host.
  let entry = HostEntry()

  /// Creates the services of a host that is about to be created.
  init(
    connection: Connection, catalogue: FlowCatalogue, configuration: DaemonConfiguration, busID: String, logger: Logger,
    serviceManager: ServiceManager?, clock: MachineClock
  ) {
    (self.connection, self.busID, self.logger, self.clock) = (connection, busID, logger, clock)
    log = FlowLog(logger: logger)
    provider = BusProvider(
      connection: connection, isSystem: configuration.bus == .system, startTime: configuration.providerStartTime,
      scripts: ScriptDirectories(configuration.scripts), log: log, isBuiltIn: { [catalogue] in catalogue.isBuiltIn($0) })
    providedFlows = ProvidedFlows(provider: provider)
    var catalogue = catalogue
    catalogue.provided = providedFlows
    self.catalogue = catalogue
    bus = BusSender(connection: connection, logger: logger)
    environments = TreeEnvironments(
      catalogue: catalogue, limits: configuration.limits.ofTree, clock: clock, loop: connection.loop)
    status = ServiceStatus(manager: serviceManager, loop: connection.loop)
    handlers = HandlerTimer(deadline: configuration.handlerDeadline, loop: connection.loop, entry: entry)
    idleTimes = configuration.journal == nil ? nil : IdleTimes()
  }
}

/// Gives closures that run later access to the parts of a host. Does not retain the host. May be used from any thread.
final class HostEntry: Sendable {
  private struct Target: Sendable {
    weak var host: FlowHost?
  }

  private let target = Lock(Target())

  /// The host; nil before it exists, and after it has gone.
  var host: FlowHost? { target.withLock { $0.host } }

  /// Sets the host, once it exists.
  func lead(to host: FlowHost) { target.withLock { $0.host = host } }

  /// Runs a closure with the parts of the host, if the host exists. The caller must already run on the host's executor.
  func enter(_ body: @Sendable (HostParts) -> Void) { host?.enter(body) }

  /// Reads from the parts of the host. The caller must already run on the host's executor.
  ///
  /// - Parameter body: the closure that reads.
  /// - Returns: its result.
  /// - Throws: `Disconnected` if the host has gone.
  func read<Result: Sendable>(_ body: @Sendable (HostParts) -> Result) throws(DBusError) -> Result {
    guard let host else { throw .disconnected("the daemon has ended") }
    return host.enter(body)
  }
}
