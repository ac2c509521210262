import ArgumentParser
import CoordinatorDaemon
import DBus
import Flows
import Logging
import ServiceLifecycle

/// The daemon with the flows that come with it: arguments and wiring.
@main
struct Coordinatord: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinatord",
    abstract: "Serves interactive flows over D-Bus, to be shown by any number of renderers at once.",
    discussion: """
      Serves on the session bus unless told otherwise. State is kept in memory: the flows end with the daemon.

      Exit status: 0 after SIGTERM, SIGINT or when another daemon took over; 1 if there is no bus, the name is taken or the bus goes away; \
      64 for wrong arguments.
      """,
    version: Daemon.version)

  @OptionGroup var bus: BusOptions
  @OptionGroup var limits: LimitOptions

  @Flag(help: "Keep state in memory only; the only mode as yet.")
  var ephemeral = false

  @Flag(help: "Take over from a daemon that runs already.")
  var replace = false

  @Option(help: "What to log, on stderr: \(Logger.Level.names).")
  var logLevel: Logger.Level = .notice

  func run() async throws {
    ProcessHardening.forbidDumps()
    let isJournal = JournalLogHandler.isConnectedToJournal
    let level = logLevel
    LoggingSystem.bootstrap { label in
      var handler = JournalLogHandler(label: label, withPriorities: isJournal)
      handler.logLevel = level
      return handler
    }
    let logger = Logger(label: "coordinatord")
    let configuration = DaemonConfiguration(bus: bus.chosen, limits: limits.limits, replace: replace)
    let daemon = Daemon(catalogue: try .builtIn(), configuration: configuration, logger: logger)
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: daemon, successTerminationBehavior: .gracefullyShutdownGroup)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "coordinatord", factory: SwiftLogNoOpLogHandler.init))
    )
    do {
      try await group.run()
    } catch {
      JournalLogHandler.fail(error)
      throw ExitCode.failure
    }
  }
}
