import ArgumentParser
import ConfigurationFiles
import CoordinatorBus
import CoordinatorDaemon
import CoordinatorKit

/// The command-line options of a daemon that serves flows: those of `coordinatord`, and ``serve(_:domain:version:)``, which
/// reads the configuration and serves.
///
/// To build a daemon with your own flows, write a command with these options:
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
///
/// Its configuration file is then `kiosk/kiosk.conf`, and its environment variables begin with `KIOSK_`.
public struct DaemonOptions: ParsableArguments {
  /// A description of the exit statuses, for the `discussion` of a command's help.
  public static let exitStatus = """
    Exit status: 0 after SIGTERM or SIGINT, after --idle-exit, or when another daemon has taken over; 1 if there is no bus, \
    the name is taken, the bus connection is lost, or the state cannot be stored; 64 for invalid arguments; 78 for an invalid \
    configuration.
    """

  @OptionGroup var bus: DaemonBusOptions
  @OptionGroup var limits: LimitOptions

  @OptionGroup var state: StateOptions

  @Option(
    help: ArgumentHelp(
      """
      Serve beside other daemons, under a name with a state and a configuration of its own: kiosk stands for the bus name \
      org.coordinatord.kiosk. (default: the program's name in the code, or $COORDINATORD_NAME)
      """),
    transform: { try DaemonName($0) })
  var name: DaemonName?

  @Flag(help: "Take over from a running daemon, with its flows.")
  var replace = false

  @Option(help: DaemonKey.idleExit.help, transform: DaemonKey.idleExit.argument)
  var idleExit: String?

  @Option(help: DaemonKey.handlerDeadline.help, transform: DaemonKey.handlerDeadline.argument)
  var handlerDeadline: String?

  @Option(help: DaemonKey.logLevel.help, completion: .list(DaemonKey.logLevel.words), transform: DaemonKey.logLevel.argument)
  var logLevel: String?

  @Option(help: DaemonKey.translations.help, completion: .directory, transform: DaemonKey.translations.path)
  var translations: String?

  @Option(help: DaemonKey.providers.help, completion: .directory, transform: DaemonKey.providers.path)
  var providers: String?

  @Option(
    help: ArgumentHelp("Read only this configuration file and the drop-ins in FILE.d.", valueName: "file"),
    completion: .file(extensions: ["conf"]))
  var config: String?

  @Flag(
    help: "Check the configuration and the provider files, print the effective settings and where each comes from, and exit.")
  var checkConfig = false

  @Flag(help: .hidden)
  var dumpConfigKeys = false

  /// Creates options with their default values, for the command-line parser to fill in.
  public init() {}

  /// Serves flows until SIGTERM or SIGINT arrives or another daemon takes over.
  ///
  /// From this call on, the process is not dumpable, because users type secrets into its flows.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that can be started.
  ///   - domain: the name of the files with the translations of these flows; see Docs/languages.md.
  ///   - version: the value of the property `Version` on the bus.
  /// - Throws: `ExitCode`: failure if there is no bus, the name is taken or the bus connection is lost; 78 if the
  ///   configuration is wrong. The reason has then been written to stderr.
  public func serve(
    _ catalogue: FlowCatalogue, domain: String? = nil, version: String = Daemon.version
  ) async throws {
    try await setUp(flows: catalogue, version: version).serve(catalogue, domain: domain)
  }

  /// Reads the configuration. Use it for a daemon that has additional configuration keys, or that must know the configuration
  /// before it can serve.
  ///
  /// - Parameters:
  ///   - keys: the additional keys that the daemon accepts.
  ///   - given: the command line's values for these keys.
  ///   - flows: the flows that sections of the configuration may name; nil if they are still unknown. Then `serve` checks them.
  ///   - version: the value of the property `Version` on the bus.
  ///   - check: a closure that makes further checks, such as of a file that a key names, and reports problems with `refuse` of
  ///     ``/ConfigurationFiles/Configuration``.
  /// - Returns: a setup that can serve.
  /// - Throws: `ExitCode`: 78 if the configuration is wrong; 0 if it is right and the command line only requests a check or a
  ///   list. The output has then been written.
  public func setUp(
    keys: [KeyEntry] = [], given: [GivenValue?] = [], flows: FlowCatalogue? = nil, version: String = Daemon.version,
    checking check: (inout Configuration) async -> Void = { _ in }
  ) async throws -> DaemonSetup {
    try await arguments(adding: given).setUp(keys: keys, flows: flows, version: version, checking: check)
  }

  /// Returns the parsed command line as a value.
  ///
  /// - Parameter given: the command line's values for your additional keys.
  /// - Returns: the arguments.
  public func arguments(adding given: [GivenValue?] = []) -> DaemonArguments {
    var arguments = DaemonArguments()
    arguments.isSystem = bus.system
    arguments.replaces = replace
    arguments.name = name
    arguments.file = config
    arguments.task = dumpConfigKeys ? .listKeys : checkConfig ? .check : .serve
    arguments.given = ownGiven + given.compactMap(\.self)
    return arguments
  }

  private var ownGiven: [GivenValue] {
    bus.given + limits.given + state.given
      + [
        DaemonKey.idleExit.given(idleExit), DaemonKey.handlerDeadline.given(handlerDeadline), DaemonKey.logLevel.given(logLevel),
        DaemonKey.translations.given(translations), DaemonKey.providers.given(providers),
      ].compactMap(\.self)
  }
}

/// The options that determine where and how durably a daemon stores its flows.
struct StateOptions: ParsableArguments {
  @Option(help: DaemonKey.stateDirectory.help, completion: .directory, transform: DaemonKey.stateDirectory.path)
  var stateDir: String?

  @Flag(inversion: .prefixedNo, help: ArgumentHelp(DaemonKey.ephemeral.entry.summary))
  var ephemeral: Bool?

  @Option(help: DaemonKey.sync.help, completion: .list(DaemonKey.sync.words), transform: DaemonKey.sync.argument)
  var sync: String?

  @Option(help: DaemonKey.maxHistory.help, transform: DaemonKey.maxHistory.argument)
  var maxHistory: String?

  var given: [GivenValue] {
    [
      DaemonKey.stateDirectory.given(stateDir), DaemonKey.ephemeral.given(ephemeral.map { $0 ? "yes" : "no" }),
      DaemonKey.sync.given(sync), DaemonKey.maxHistory.given(maxHistory),
    ].compactMap(\.self)
  }

  func validate() throws {
    if ephemeral == true, stateDir != nil {
      throw ValidationError("--ephemeral stores nothing, so it cannot be combined with --state-dir")
    }
  }
}

/// The options that select the bus.
struct DaemonBusOptions: ParsableArguments {
  @Option(help: DaemonKey.address.help, transform: DaemonKey.address.argument)
  var address: String?

  @Flag(help: "Serve on the system bus, to root and the daemon's own user; use the configuration in /etc.")
  var system = false

  @Option(help: DaemonKey.group.help, transform: Self.checkGroup)
  var group: String?

  var given: [GivenValue] { [DaemonKey.address.given(address), DaemonKey.group.given(group)].compactMap(\.self) }

  func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address are mutually exclusive") }
    if group != nil, !system {
      throw ValidationError("--group requires --system: on other buses, only the daemon's own user may call")
    }
  }

  @Sendable private static func checkGroup(_ name: String) throws -> String {
    do {
      return try UserGroup(named: name).name
    } catch {
      throw ValidationError("\(error)")
    }
  }
}

/// The options that set the limits.
struct LimitOptions: ParsableArguments {
  @Option(help: DaemonKey.maxFlows.help, transform: DaemonKey.maxFlows.argument)
  var maxFlows: String?

  @Option(help: DaemonKey.maxFlowsPerClient.help, transform: DaemonKey.maxFlowsPerClient.argument)
  var maxFlowsPerClient: String?

  @Option(help: DaemonKey.maxDepth.help, transform: DaemonKey.maxDepth.argument)
  var maxDepth: String?

  @Option(help: DaemonKey.maxItems.help, transform: DaemonKey.maxItems.argument)
  var maxItems: String?

  @Option(help: DaemonKey.maxPayload.help, transform: DaemonKey.maxPayload.argument)
  var maxPayload: String?

  @Option(help: DaemonKey.maxOutcomes.help, transform: DaemonKey.maxOutcomes.argument)
  var maxOutcomes: String?

  @Option(help: DaemonKey.maxCallsPerClient.help, transform: DaemonKey.maxCallsPerClient.argument)
  var maxCallsPerClient: String?

  @Option(help: DaemonKey.maxCalls.help, transform: DaemonKey.maxCalls.argument)
  var maxCalls: String?

  @Option(help: DaemonKey.maxCallBytesPerClient.help, transform: DaemonKey.maxCallBytesPerClient.argument)
  var maxCallBytesPerClient: String?

  @Option(help: DaemonKey.maxCallBytes.help, transform: DaemonKey.maxCallBytes.argument)
  var maxCallBytes: String?

  @Option(help: DaemonKey.maxInputBytesPerClient.help, transform: DaemonKey.maxInputBytesPerClient.argument)
  var maxInputBytesPerClient: String?

  @Option(help: DaemonKey.maxInputBytes.help, transform: DaemonKey.maxInputBytes.argument)
  var maxInputBytes: String?

  @Option(help: DaemonKey.maxRenderers.help, transform: DaemonKey.maxRenderers.argument)
  var maxRenderers: String?

  @Option(help: DaemonKey.maxAttachments.help, transform: DaemonKey.maxAttachments.argument)
  var maxAttachments: String?

  @Option(help: DaemonKey.maxRegisteredFlows.help, transform: DaemonKey.maxRegisteredFlows.argument)
  var maxRegisteredFlows: String?

  @Option(help: DaemonKey.maxRegisteredBytes.help, transform: DaemonKey.maxRegisteredBytes.argument)
  var maxRegisteredBytes: String?

  var given: [GivenValue] {
    [
      DaemonKey.maxFlows.given(maxFlows),
      DaemonKey.maxFlowsPerClient.given(maxFlowsPerClient),
      DaemonKey.maxDepth.given(maxDepth),
      DaemonKey.maxItems.given(maxItems),
      DaemonKey.maxPayload.given(maxPayload),
      DaemonKey.maxOutcomes.given(maxOutcomes),
      DaemonKey.maxCallsPerClient.given(maxCallsPerClient),
      DaemonKey.maxCalls.given(maxCalls),
      DaemonKey.maxCallBytesPerClient.given(maxCallBytesPerClient),
      DaemonKey.maxCallBytes.given(maxCallBytes),
      DaemonKey.maxInputBytesPerClient.given(maxInputBytesPerClient),
      DaemonKey.maxInputBytes.given(maxInputBytes),
      DaemonKey.maxRenderers.given(maxRenderers),
      DaemonKey.maxAttachments.given(maxAttachments),
      DaemonKey.maxRegisteredFlows.given(maxRegisteredFlows),
      DaemonKey.maxRegisteredBytes.given(maxRegisteredBytes),
    ].compactMap(\.self)
  }
}
