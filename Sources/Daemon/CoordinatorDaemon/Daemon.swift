import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Logging
import Platform
import ServiceLifecycle

/// A daemon that serves flows on a D-Bus bus.
///
/// `coordinatord` is this type with the flows that ship with it. Use it to build a daemon that serves your own flows:
///
/// ```swift
/// let daemon = Daemon(catalogue: catalogue, configuration: DaemonConfiguration(), logger: logger)
/// let group = ServiceGroup(services: [daemon], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
/// try await group.run()
/// ```
public struct Daemon: Service {
  /// The version of this package.
  public static let version = Release.version

  let configuration: DaemonConfiguration
  let logger: Logger
  let serviceManager: ServiceManager?
  /// The clocks of the machine. Tests replace them.
  var clock = MachineClock.system
  package let catalogue: FlowCatalogue
  /// The connection whose opening began before the daemon was created; nil to open one in ``run()``.
  package var opening: BusOpening?
  private let onReady: (@Sendable (String) -> Void)?
  private let running = RunningHost()

  /// Creates a daemon. Nothing happens before ``run()`` is called.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that can be started.
  ///   - configuration: the bus, the limits and the other settings.
  ///   - logger: the logger. Payloads and secrets are never logged.
  ///   - serviceManager: the service manager that is notified of the daemon's state; nil for none.
  ///   - onReady: called with the daemon's unique bus name once it owns its well-known name.
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

  /// Serves until the service group shuts down, another daemon takes over the name, or the bus connection is lost.
  ///
  /// - Throws: `ConnectionError` if the bus cannot be reached; ``DaemonError`` if the name is taken or the bus
  ///   connection is lost; `JournalError` if stored flows cannot be read or written.
  public func run() async throws {
    let host = try await start()
    let events = host.connection.events
    let journal = try await takeOver(host)
    defer { journal?.close() }
    host.status.tellReady()
    await running.begin(host)
    await host.startScriptProgram()
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

  /// Reads the configuration again and applies the settings that can change while the daemon runs: the limits that are
  /// not properties on the bus, the handler deadline, and the idle time after which the daemon exits. Notifies the
  /// service manager.
  ///
  /// The new settings apply to calls made from now on; before ``run()`` serves, they apply once it does.
  ///
  /// - Parameter read: a closure that reads the configuration. It returns the new configuration, or nil to keep the
  ///   current one, and a result.
  /// - Returns: the result that `read` returned.
  public func reload<Result: Sendable>(_ read: () -> (DaemonConfiguration?, Result)) async -> Result {
    let isServing = running.isServing
    if isServing { serviceManager?.tell(.reloading) }
    let (configuration, result) = read()
    if let configuration { await running.reload(configuration) }
    if isServing { serviceManager?.tell(.ready) }
    return result
  }

  /// Restores the stored flows while the daemon serves. Returns nil on success, which is no reason to end.
  private func endOfRestoration(of journal: Journal, _ host: FlowHost) async -> EndReason? {
    do {
      try await host.restore(from: journal)
      return nil
    } catch {
      return .unreadable(error)
    }
  }

  /// Waits until the state of the disk is unknown because a commit is in doubt. Returns nil if that never happens.
  private func breakdown(of journal: Journal) async -> EndReason? {
    for await error in journal.breakdowns { return .inDoubt(error) }
    return nil
  }

  private func start() async throws -> FlowHost {
    let bus = try await (opening ?? BusOpening(configuration, logger: logger)).bus()
    let host = FlowHost(
      connection: bus.connection, catalogue: catalogue, configuration: configuration, busID: bus.id, logger: logger,
      serviceManager: serviceManager, clock: clock)
    guard await host.makeAlarms() else { throw DaemonError.noAlarm }
    await host.readProviderFiles()
    await host.watchProviderFiles()
    bus.takeOver.set { [weak host] in host?.loopWasTakenOver() }
    await bus.connection.serve(host, below: Contract.rootPath)
    return host
  }

  private func endOfConnection(_ events: AsyncStream<ConnectionEvent>) async -> EndReason {
    for await event in events {
      switch event {
      case .nameLost(Contract.busName): return .nameLost
      case .disconnected: return .disconnected
      case .watchRefused(let error):
        logger.error(
          "cannot detect callers that leave the bus; their flows will not end with them", metadata: ["error": "\(error.message)"])
      case .nameLost: continue
      }
    }
    // The stream also ends when the task is cancelled, which means that the daemon was asked to shut down.
    return Task.isCancelled ? .shutdown : .disconnected
  }
}

extension Daemon: CustomStringConvertible {
  /// A short name for logs. A service group asks for a description when it is created, and Swift's default would print
  /// the whole catalogue, which takes longer than the rest of the start.
  public var description: String { "daemon of \(Contract.busName)" }
}

/// An error that makes a daemon end without having been asked to.
public enum DaemonError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another daemon owns the name, and this one was not started with `replace`. The value is the name.
  case nameTaken(String)
  /// The bus connection was lost. The value describes the bus.
  case busLost(String)
  /// The system has no timer left. A timer takes a file descriptor.
  case noAlarm

  /// A human-readable message with the cause and the next step.
  public var description: String {
    switch self {
    case .nameTaken(let name): "another daemon already serves \(name); stop it, or start this one with --replace"
    case .busLost(let bus): "the connection to \(bus) is lost"
    case .noAlarm: "the daemon cannot open any more files; raise the limit (`ulimit -n`, `LimitNOFILE=`)"
    }
  }
}

/// The reason why a daemon ends.
enum EndReason: Equatable {
  case shutdown, idle, nameLost, disconnected
  case unreadable(JournalError)
  /// It is unknown whether the last commit is on the disk.
  case inDoubt(JournalError)
}

/// Ends a daemon without losing a call. The daemon releases its name first. The bus delivers later calls to the next
/// daemon, which it starts if it can. When the bus confirms the release, all earlier calls have arrived, and the daemon
/// answers them.
extension Daemon {
  /// Waits until the daemon has been idle for the configured time, and releases the name.
  ///
  /// Notifies the service manager before the bus. Otherwise, the service manager would consider a daemon that is about
  /// to end as running, and would not start another one for a call that arrives too late for this one.
  ///
  /// - Returns: the reason to end; nil if the wait was cancelled, or if the daemon never ends because it is idle.
  func endOfUse(of host: FlowHost) async -> EndReason? {
    guard let idleTimes = host.idleTimes else { return nil }
    var isAskingForTime = false
    for await _ in idleTimes.times {
      serviceManager?.tell(.stopping)
      do {
        try await host.connection.retire(from: Contract.busName)
        if await host.isIdle { return .idle }
        // A call arrived at the last moment. It may have started a flow, which must be announced and must continue.
        guard try await host.connection.resume(as: Contract.busName) else { return .nameLost }
      } catch {
        return .disconnected
      }
      await isAskingForTime ? host.activityHasChanged() : host.goOn()
      isAskingForTime = true
    }
    return nil
  }

  /// Shuts down a daemon that has served.
  func end(_ host: FlowHost, _ reason: EndReason) async throws {
    if reason != .disconnected { serviceManager?.tell(.stopping) }
    switch reason {
    case .disconnected: throw DaemonError.busLost("\(configuration.bus)")
    case .nameLost: logger.notice("another daemon has taken over")
    case .idle: logger.notice("exiting: idle")
    case .shutdown, .unreadable: logger.notice("exiting")
    case .inDoubt(let error):
      // Waiting callers get no answer, because any answer might be wrong. The bus reports the missing reply, and a
      // request key or a token makes it safe to call again.
      logger.critical("exiting: a commit failed, but may have been stored; the next start determines whether")
      await host.connection.close()
      throw error
    }
    if configuration.journal == nil {
      await host.endAll()
      // Objects are served until the connection is closed, so that clients can still ask for the outcomes of their
      // flows.
      await host.connection.close()
    } else {
      if reason == .shutdown { try? await host.connection.retire(from: Contract.busName) }
      await host.close()
    }
    await host.connection.stopServing(below: Contract.rootPath)
    await host.connection.close()
    if case .unreadable(let error) = reason { throw error }
  }
}
