import ArgumentParser
import CoordinatorDaemon
import CoordinatorKit
import Logging
import ServiceLifecycle
import ServiceManager

/// The command line of a daemon that serves flows: the options that `coordinatord` has, and ``serve(_:version:)``.
///
/// A daemon with flows of one's own is a command with these options:
///
/// ```swift
/// @main
/// struct Kiosk: AsyncParsableCommand {
///   static let configuration = CommandConfiguration(abstract: "Serves the kiosk's flows.")
///
///   @OptionGroup var daemon: DaemonOptions
///
///   static func main() { mainOnOwnThreads() }
///
///   func run() async throws {
///     var catalogue = FlowCatalogue()
///     try catalogue.add { Coffee() }
///     try await daemon.serve(catalogue)
///   }
/// }
/// ```
public struct DaemonOptions: ParsableArguments {
  /// What the process exits with, for the `discussion` of a command's help.
  public static let exitStatus = """
    Exit status: 0 after SIGTERM, SIGINT, when it had nothing to do for --idle-exit or another daemon took over; 1 if there is no bus, the name is taken, the bus goes away or \
    the state cannot be kept; 64 for wrong arguments.
    """

  @OptionGroup var bus: BusOptions
  @OptionGroup var limits: LimitOptions

  @OptionGroup var state: StateOptions

  @Flag(help: "Take over from a daemon that runs already.")
  var replace = false

  @Option(help: "How many seconds a handler may take before its flow is given up.")
  var handlerDeadline: UInt32 = 30

  @Option(
    help: ArgumentHelp(
      "After how many seconds without flows and calls to end; 0 for never.",
      discussion: "For a daemon that the bus starts again at the next call. With --ephemeral it never ends of its own accord."))
  var idleExit: UInt32 = 0

  @Option(help: "What to log, on stderr: \(LogLevel.names).")
  var logLevel: LogLevel = .notice

  /// Options with their defaults; the command line fills them in.
  public init() {}

  /// Refuses a deadline that no handler could keep.
  public func validate() throws {
    if handlerDeadline == 0 { throw ValidationError("--handler-deadline is at least 1") }
  }

  /// Logs as the daemon does: to stderr, at the level that the command line asks for, and in the journal's form if systemd started
  /// the process. For data sources that have something to say.
  public var logger: Logger {
    let handler = JournalLogHandler(label: Self.program, level: logLevel.level, target: .standardError)
    return Logger(label: Self.program) { _ in handler }
  }

  /// Serves flows until the process is asked to end, by SIGTERM or SIGINT, or another daemon takes over.
  ///
  /// From here on the process is not dumpable, since users type secrets into its flows.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that can be started.
  ///   - version: what the property `Version` on the bus says.
  /// - Throws: `ExitCode.failure` if there is no bus, the name is taken or the bus goes away. Why, is then on stderr already.
  public func serve(_ catalogue: FlowCatalogue, version: String = Daemon.version) async throws {
    ProcessHardening.forbidDumps()
    ProcessHardening.keepFilesPrivate()
    ProcessHardening.surviveFileSizeLimit()
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: makeDaemon(catalogue, version: version), successTerminationBehavior: .gracefullyShutdownGroup)],
        gracefulShutdownSignals: [.sigterm, .sigint],
        // What it would say, the daemon says better.
        logger: Logger(label: Self.program, factory: SwiftLogNoOpLogHandler.init)))
    do {
      try await group.run()
    } catch {
      LogTarget.standardError.complain(error, of: Self.program)
      throw ExitCode.failure
    }
  }

  /// The daemon that ``serve(_:version:)`` runs, for a service group of one's own in which other services run beside it.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that can be started.
  ///   - version: what the property `Version` on the bus says.
  /// - Returns: a daemon that has not begun to serve.
  public func makeDaemon(_ catalogue: FlowCatalogue, version: String = Daemon.version) -> Daemon {
    Daemon(
      catalogue: catalogue, configuration: configuration(version: version), logger: logger, serviceManager: ServiceManager())
  }

  func configuration(version: String) -> DaemonConfiguration {
    DaemonConfiguration(
      bus: bus.chosen, group: bus.group, limits: limits.limits,
      journal: state.journal(maxOutcomes: limits.limits.maxOutcomes, program: Self.program), replace: replace,
      handlerDeadline: .seconds(handlerDeadline), idleExit: idleExit == 0 ? nil : .seconds(idleExit), version: version)
  }

  /// The name that the process was started by, without its directory.
  private static var program: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "daemon"
  }
}
