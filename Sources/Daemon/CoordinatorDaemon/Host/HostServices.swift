import CoordinatorKit
import DBus
import Logging
import Platform

/// What a host and its parts use and share. May be used from any thread, except ``bus``, which is used only on the
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
  /// Asks the programs that serve flows from outside of the daemon.
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
  /// Leads from closures that run later back to the parts of the host.
  let entry = HostEntry()

  /// Creates the services of a host that is about to be created.
  init(
    connection: Connection, catalogue: FlowCatalogue, configuration: DaemonConfiguration, busID: String, logger: Logger,
    serviceManager: ServiceManager?, clock: MachineClock
  ) {
    (self.connection, self.busID, self.logger, self.clock) = (connection, busID, logger, clock)
    log = FlowLog(logger: logger)
    provider = BusProvider(
      connection: connection, isSystem: configuration.bus == .system, startTime: configuration.providerStartTime, log: log)
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
