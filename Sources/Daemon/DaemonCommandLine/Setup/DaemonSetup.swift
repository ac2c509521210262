import ArgumentParser
import ConfigurationFiles
import CoordinatorDaemon
import CoordinatorKit
import Glibc
import Hardening
import Locking
import Logging
import ServiceLifecycle
import ServiceManager

/// A daemon whose configuration was read, and in which nothing is wrong.
public struct DaemonSetup: Sendable {
  /// What was read.
  public let configuration: Configuration
  /// Logs as the daemon does, at the level that is configured: to stderr, or with fields to the journal if systemd started the process.
  /// For data sources that have something to say.
  public let logger: Logger
  let daemon: DaemonConfiguration
  let source: DaemonSource
  /// The level of ``logger``.
  let threshold: LogThreshold
  /// What was read last.
  let current: Lock<Configuration>

  /// Reads the configuration.
  ///
  /// - Parameters:
  ///   - source: what it is made of.
  ///   - target: where what is wrong is said.
  ///   - check: says what else is not right.
  /// - Throws: `ExitCode` 78 if anything is wrong; all of it has been said then.
  init(
    _ source: DaemonSource, target: LogTarget = .standardError, checking check: (inout Configuration) async -> Void = { _ in }
  ) async throws {
    let reading = source.read()
    var configuration = reading.configuration
    await check(&configuration)
    let problems = configuration.problems
    guard problems.isEmpty else {
      for problem in problems { target.complain(problem.description, of: source.program) }
      throw ExitCode.configuration
    }
    self.source = source
    self.configuration = configuration
    daemon = reading.daemon
    current = Lock(configuration)
    threshold = LogThreshold(configuration[DaemonKey.logLevel])
    let handler = JournalLogHandler(label: source.program, threshold: threshold, target: target)
    logger = Logger(label: source.program) { _ in handler }
  }

  /// Serves flows until the process is asked to end, by SIGTERM or SIGINT, or another daemon takes over. SIGHUP has the configuration
  /// read again.
  ///
  /// From here on the process is not dumpable, since users type secrets into its flows.
  ///
  /// - Parameter catalogue: the flows that can be started.
  /// - Throws: `ExitCode.failure` if there is no bus, the name is taken or the bus goes away. Why, is then on stderr already.
  public func serve(_ catalogue: FlowCatalogue) async throws {
    ProcessHardening.forbidDumps()
    ProcessHardening.keepFilesPrivate()
    ProcessHardening.surviveFileSizeLimit()
    let daemon = makeDaemon(catalogue)
    let signals = ProcessSignals.take([SIGHUP, SIGTERM, SIGINT])
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: daemon, successTerminationBehavior: .gracefullyShutdownGroup)],
        // What it would say, the daemon says better.
        logger: Logger(label: source.program, factory: SwiftLogNoOpLogHandler.init)))
    let obedience = Task { await obey(signals, daemon, in: group) }
    defer { obedience.cancel() }
    do {
      try await group.run()
    } catch {
      LogTarget.standardError.complain(String(describing: error), of: source.program)
      throw ExitCode.failure
    }
  }

  /// Does what signals say.
  private func obey(_ signals: AsyncStream<Int32>?, _ daemon: Daemon, in group: ServiceGroup) async {
    guard let signals else { return logger.error("cannot take signals: SIGTERM and SIGHUP end the daemon at once") }
    let hadTerminal = isatty(STDIN_FILENO) == 1
    for await signal in signals {
      // SIGHUP also says that the terminal has gone at which the daemon was started.
      let isReload = signal == SIGHUP && !(hadTerminal && isatty(STDIN_FILENO) == 0)
      if isReload { await reload(daemon) } else { await group.triggerGracefulShutdown() }
    }
  }

  /// The daemon that ``serve(_:)`` runs, for a service group of one's own in which other services run beside it.
  ///
  /// - Parameter catalogue: the flows that can be started.
  /// - Returns: a daemon that has not begun to serve.
  public func makeDaemon(_ catalogue: FlowCatalogue) -> Daemon {
    Daemon(catalogue: catalogue, configuration: daemon, logger: logger, serviceManager: ServiceManager())
  }
}

extension ExitCode {
  /// The configuration is wrong. Source: sysexits.h, EX_CONFIG.
  static let configuration = ExitCode(78)
}
