import ArgumentParser
import ConfigurationFiles
import CoordinatorDaemon
import CoordinatorKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The command line of a daemon that serves flows, and its configuration: the options that `coordinatord` has, and ``serve(_:version:)``.
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
///
/// Its configuration file is then `kiosk/kiosk.conf`, and its variables begin with `KIOSK_`.
public struct DaemonOptions: ParsableArguments {
  /// What the process exits with, for the `discussion` of a command's help.
  public static let exitStatus = """
    Exit status: 0 after SIGTERM, SIGINT, when it had nothing to do for --idle-exit or another daemon took over; 1 if there is no bus, the \
    name is taken, the bus goes away or the state cannot be kept; 64 for wrong arguments; 78 for a wrong configuration.
    """

  @OptionGroup var bus: BusOptions
  @OptionGroup var limits: LimitOptions

  @OptionGroup var state: StateOptions

  @Flag(help: "Take over from a daemon that runs already.")
  var replace = false

  @Option(help: DaemonKey.idleExit.help, transform: DaemonKey.idleExit.argument)
  var idleExit: String?

  @Option(help: DaemonKey.handlerDeadline.help, transform: DaemonKey.handlerDeadline.argument)
  var handlerDeadline: String?

  @Option(help: DaemonKey.logLevel.help, completion: .list(DaemonKey.logLevel.words), transform: DaemonKey.logLevel.argument)
  var logLevel: String?

  @Option(
    help: ArgumentHelp("Read this configuration file, with the drop-ins in FILE.d, and no other.", valueName: "file"),
    completion: .file(extensions: ["conf"]))
  var config: String?

  @Flag(help: "Check the configuration, print what holds and who says so, and exit.")
  var checkConfig = false

  @Flag(help: .hidden)
  var dumpConfigKeys = false

  /// Options with their defaults; the command line fills them in.
  public init() {}

  /// Serves flows until the process is asked to end, by SIGTERM or SIGINT, or another daemon takes over.
  ///
  /// From here on the process is not dumpable, since users type secrets into its flows.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that can be started.
  ///   - version: what the property `Version` on the bus says.
  /// - Throws: `ExitCode`: failure if there is no bus, the name is taken or the bus goes away; 78 if the configuration is wrong. Why, is
  ///   then on stderr already.
  public func serve(_ catalogue: FlowCatalogue, version: String = Daemon.version) async throws {
    try await setUp(version: version).serve(catalogue)
  }

  /// Reads the configuration: for a daemon that has keys of its own, or that has to know the configuration before it can serve.
  ///
  /// - Parameters:
  ///   - keys: further keys that its files may hold.
  ///   - given: what the command line says of them.
  ///   - version: what the property `Version` on the bus says.
  ///   - check: what else has to be right, such as a file that a key names; says what is not with ``Configuration/refuse(_:_:)``.
  /// - Returns: what serves.
  /// - Throws: `ExitCode` 78 if the configuration is wrong, and 0 if it is right and that was all that the command line asks for. What there
  ///   is to say is said then.
  public func setUp(
    keys: [KeyEntry] = [], given: [GivenValue?] = [], version: String = Daemon.version,
    checking check: (inout Configuration) async -> Void = { _ in }
  ) async throws -> DaemonSetup {
    let source = source(keys: keys, given: given.compactMap(\.self), version: version)
    if dumpConfigKeys {
      print(KeyEntry.table(of: source.keys, prefix: source.source.prefix), terminator: "")
      throw ExitCode.success
    }
    let setup = try await DaemonSetup(source, checking: check)
    guard !checkConfig else {
      print(setup.configuration)
      throw ExitCode.success
    }
    return setup
  }

  func source(
    keys: [KeyEntry] = [], given: [GivenValue] = [], version: String = Daemon.version,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> DaemonSource {
    let program = Self.program
    let usual: ConfigurationPlaces = bus.system ? .system(program) : .user(program, environment: environment)
    return DaemonSource(
      program: program, isSystem: bus.system, replaces: replace, version: version, keys: DaemonKey.all + keys,
      source: ConfigurationSource(
        places: config.map { .only($0) } ?? usual, environment: environment, prefix: ConfigurationSource.prefix(of: program),
        flags: ownGiven + given))
  }

  private var ownGiven: [GivenValue] {
    bus.given + limits.given + state.given
      + [
        DaemonKey.idleExit.given(idleExit), DaemonKey.handlerDeadline.given(handlerDeadline), DaemonKey.logLevel.given(logLevel),
      ].compactMap(\.self)
  }

  /// The name that the process was started by, without its directory.
  private static var program: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "daemon"
  }
}
