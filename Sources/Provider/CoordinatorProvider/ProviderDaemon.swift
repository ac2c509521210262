import ArgumentParser
import CoordinatorBus
public import CoordinatorKit
import DBus
import Glibc
import Languages
import Platform

/// A program that serves flows to coordinatord, and does nothing else.
///
/// ```swift
/// import CoordinatorProvider
///
/// @main struct PetFlows {
///   static func main() async { await ProviderDaemon.run(name: "com.example.Pets") { try $0.add { ScheduleVisit() } } }
/// }
/// ```
///
/// It understands `--system`, `--address`, `--daemon`, `--replace`, `--idle-exit` and `--help`. SIGTERM and SIGINT end it; a program
/// that D-Bus has started also ends after a minute in which nothing was asked.
public enum ProviderDaemon {
  /// Serves flows until the process is asked to end, and ends it.
  ///
  /// - Parameters:
  ///   - name: the well-known bus name to serve the flows under; nil for none.
  ///   - domain: the name of the files with the translations of the flows; nil for those that ship with coordinatord.
  ///   - addFlows: adds the flows to an empty catalogue.
  public static func run(
    name: String? = nil, domain: String? = nil, _ addFlows: @Sendable (inout FlowCatalogue) throws -> Void
  ) async -> Never {
    var catalogue = FlowCatalogue()
    do { try addFlows(&catalogue) } catch { ProviderCommand.end(complaining: error) }
    await run(name: name, domain: domain, flows: catalogue)
  }

  /// Serves the flows of a catalogue until the process is asked to end, and ends it.
  ///
  /// - Parameters:
  ///   - name: the well-known bus name to serve the flows under; nil for none.
  ///   - domain: the name of the files with the translations of the flows, in the usual directories; nil for those that
  ///     ship with coordinatord. Not read if the catalogue has translations.
  ///   - catalogue: the flows.
  public static func run(name: String? = nil, domain: String? = nil, flows catalogue: FlowCatalogue) async -> Never {
    var catalogue = catalogue
    if catalogue.translations.languages.count == 1 {
      catalogue.translations = Translations(
        domains: ["coordinatord"] + [domain].compactMap(\.self), directories: ProviderCommand.translationDirectories
      ) { ProviderCommand.complain("\($0)") }
    }
    let command: ProviderCommand
    do { command = try ProviderCommand.parse() } catch { ProviderCommand.exit(withError: error) }
    do { try await command.serve(catalogue, name: name) } catch { ProviderCommand.end(complaining: error) }
    exit(EXIT_SUCCESS)
  }
}

/// The command line of a provider.
struct ProviderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: program, abstract: "Serves flows to coordinatord.",
    discussion: "Serves on the session bus by default, and waits for coordinatord if it is not running.")

  @Option(help: "Use the bus at this D-Bus address.")
  var address: String?

  @Flag(help: "Use the system bus.")
  var system = false

  @Option(
    help: "Serve flows to the daemon of this name: kiosk stands for org.coordinatord.kiosk. (default: $COORDINATORD_NAME)",
    transform: { try DaemonName($0) })
  var daemon: DaemonName?

  @Flag(help: "Take the bus name from a running process that serves these flows.")
  var replace = false

  @Option(help: "End after so many seconds in which nothing was asked; 60 if D-Bus has started the program, otherwise never.")
  var idleExit: Int?

  func validate() throws {
    if system && address != nil { throw ValidationError("--system and --address are mutually exclusive") }
    if let idleExit, idleExit < 1 { throw ValidationError("--idle-exit needs a number of seconds") }
    do { try DaemonName.choose(orOfEnvironment: daemon) } catch { throw ValidationError("\(error)") }
  }

  /// Serves flows until SIGTERM or SIGINT.
  func serve(_ catalogue: FlowCatalogue, name: String?) async throws {
    let signals = ProcessSignals.take([SIGTERM, SIGINT])
    let bus = address.map { BusAddress.address($0) } ?? (system ? .system : .session)
    let connection = try await Connection.open(bus)
    let isStarted = getenv("DBUS_STARTER_BUS_TYPE") != nil || getenv("DBUS_STARTER_ADDRESS") != nil
    let idleTime = idleExit.map { Duration.seconds($0) } ?? (isStarted ? .seconds(60) : nil)
    let provider = Provider(of: catalogue, name: name, replaces: replace, idleTime: idleTime) { Self.complain($0) }
    let serving = Task { try await provider.serve(on: connection) }
    let obedience = Task {
      guard let signals else { return }
      for await _ in signals { serving.cancel() }
    }
    defer { obedience.cancel() }
    try await serving.value
    await connection.close()
  }

  /// The usual directories with translations, in ascending precedence.
  static var translationDirectories: [String] { Translations.usualDirectories(environment: Environment.value) }

  private static var program: String {
    CommandLine.arguments.first.flatMap { $0.bytes.split(separator: "/").last.map(String.init) } ?? "provider"
  }

  static func complain(_ line: String) {
    let bytes = Array("\(program): \(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  static func end(complaining error: any Error) -> Never {
    complain("\(error)")
    Glibc.exit(EXIT_FAILURE)
  }
}
