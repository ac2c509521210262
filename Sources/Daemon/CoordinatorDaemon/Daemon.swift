import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Logging
import ServiceLifecycle
import ServiceManager

/// A daemon that serves flows on a bus. Anybody can build one with flows of their own: this is all that `coordinatord` does.
///
/// ```swift
/// let daemon = Daemon(catalogue: catalogue, configuration: DaemonConfiguration(), logger: logger)
/// let group = ServiceGroup(services: [daemon], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
/// try await group.run()
/// ```
public struct Daemon: Service {
  /// The version of this daemon.
  public static let version = Release.version

  let configuration: DaemonConfiguration
  let logger: Logger
  let serviceManager: ServiceManager?
  /// What time it is; tests have one of their own.
  var clock = WallClock.system
  private let catalogue: FlowCatalogue
  private let onReady: (@Sendable (String) -> Void)?
  private let running = RunningHost()

  /// Puts a daemon together; nothing happens before ``run()``.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that can be started.
  ///   - configuration: the bus, the limits and the like.
  ///   - logger: where to log. Payloads and secrets never are.
  ///   - serviceManager: who is told how the daemon is doing; nil for nobody.
  ///   - onReady: called with the daemon's unique name once it owns its name on the bus.
  public init(
    catalogue: FlowCatalogue, configuration: DaemonConfiguration, logger: Logger,
    serviceManager: ServiceManager? = nil, onReady: (@Sendable (String) -> Void)? = nil
  ) {
    self.catalogue = catalogue
    self.configuration = configuration
    self.logger = logger
    self.serviceManager = serviceManager
    self.onReady = onReady
  }

  /// Serves until the service group shuts down, another daemon takes the name over, or the bus is gone.
  ///
  /// - Throws: `ConnectionError` if there is no bus, ``DaemonError`` if the name is taken or the bus goes away, `JournalError` if what
  ///   is kept cannot be read or written.
  public func run() async throws {
    let host = try await start()
    let events = host.connection.events
    let journal = try await takeOver(host)
    defer { journal?.close() }
    await host.tellReady()
    await running.begin(host)
    defer { running.end() }
    onReady?(host.connection.uniqueName)
    logger.notice("serving", metadata: ["bus": "\(configuration.bus)", "name": "\(Contract.busName)"])
    let reason = await withTaskGroup(of: EndReason?.self) { group in
      group.addTask { await endOfConnection(events) }
      group.addTask {
        try? await gracefulShutdown()
        return .shutdown
      }
      if let journal {
        group.addTask { await endOfRestoration(of: journal, host) }
        group.addTask { await breakdown(of: journal) }
      }
      if host.idleTimes != nil { group.addTask { await endOfUse(of: host) } }
      let first = await group.first { $0 != nil }
      group.cancelAll()
      return first ?? .shutdown
    }
    try await end(host, reason ?? .shutdown)
  }

  /// Reads the configuration again, and has it hold for what is called from now on, as far as it can change while the daemon runs: the
  /// limits that are no properties on the bus, the time that a handler may take, and the time without flows. The service manager is told.
  ///
  /// - Parameter read: reads it: what is to hold, nil for what holds now, and what came of it besides. Before ``run()`` serves, what it
  ///   answers holds from then on.
  /// - Returns: what came of it besides.
  public func reload<Result: Sendable>(_ read: () -> (DaemonConfiguration?, Result)) async -> Result {
    let isServing = running.isServing
    if isServing { serviceManager?.tell(.reloading) }
    let (configuration, result) = read()
    if let configuration { await running.reload(configuration) }
    if isServing { serviceManager?.tell(.ready) }
    return result
  }

  /// Takes up what is kept, beside serving. Nil when that is done, since it is no reason to end.
  private func endOfRestoration(of journal: Journal, _ host: FlowHost) async -> EndReason? {
    do {
      try await host.restore(from: journal)
      return nil
    } catch {
      return .unreadable(error)
    }
  }

  /// Waits until nobody can tell what is on the disk. Nil if that never happened.
  private func breakdown(of journal: Journal) async -> EndReason? {
    for await error in journal.breakdowns { return .inDoubt(error) }
    return nil
  }

  private func start() async throws -> FlowHost {
    let takeOver = TakeOverRelay()
    let loop = EventLoop(onTakeOver: { takeOver.fire() })
    let connection = try await Connection.open(
      configuration.bus, loop: loop, limits: configuration.limits.ofMessages(on: configuration.bus),
      admitting: configuration.callers.admission(logger: logger))
    let busID = try await connection.busID()
    let host = FlowHost(
      connection: connection, catalogue: catalogue, configuration: configuration, busID: busID, logger: logger,
      serviceManager: serviceManager, clock: clock)
    guard await host.makeAlarm() else { throw DaemonError.noAlarm }
    takeOver.set { [weak host] in host?.loopWasTakenOver() }
    await connection.serve(host, below: Contract.rootPath)
    return host
  }

  private func endOfConnection(_ events: AsyncStream<ConnectionEvent>) async -> EndReason {
    for await event in events {
      switch event {
      case .nameLost(Contract.busName): return .nameLost
      case .disconnected: return .disconnected
      case .watchRefused(let error):
        logger.error(
          "cannot see who leaves the bus; flows of callers that leave will go on", metadata: ["error": "\(error.message)"])
      case .nameLost: continue
      }
    }
    // The stream also ends when the task is cancelled, which asks the daemon to end.
    return Task.isCancelled ? .shutdown : .disconnected
  }
}

extension Daemon: CustomStringConvertible {
  /// A name for logs: a service group asks for one when it is made, and what Swift would say of its own accord is all that the catalogue
  /// holds, which takes longer than the rest of the start.
  public var description: String { "daemon of \(Contract.busName)" }
}

/// Why a daemon ended that was not asked to.
public enum DaemonError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another daemon owns the name, and this one was not told to replace it.
  case nameTaken(String)
  /// The bus has gone away.
  case busLost(String)
  /// The system has no timer left, which takes a file descriptor.
  case noAlarm

  /// For people: what happened, and what to do next.
  public var description: String {
    switch self {
    case .nameTaken(let name): "another daemon already serves \(name); stop it, or start this one with --replace"
    case .busLost(let bus): "the connection to \(bus) is lost"
    case .noAlarm: "the system lets this daemon open no more files; raise the limit (`ulimit -n`, `LimitNOFILE=`)"
    }
  }
}
