import ArgumentParser
import CoordinatorBus
public import CoordinatorKit
import DBus
public import DBus
import Glibc
import Languages
import Platform

/// A program that only serves flows to coordinatord.
///
/// ```swift
/// import CoordinatorProvider
///
/// @main struct PetFlows {
///   static func main() async { await ProviderDaemon.run(name: "com.example.Pets") { try $0.add { ScheduleVisit() } } }
/// }
/// ```
///
/// It accepts `--system`, `--address`, `--daemon`, `--replace`, `--idle-exit` and `--help`. SIGTERM and SIGINT end it; a
/// program that D-Bus has started also ends after a minute without questions.
public enum ProviderDaemon {
  /// Serves flows until the process receives SIGTERM or SIGINT, and then ends the process.
  ///
  /// - Parameters:
  ///   - name: the well-known bus name to serve the flows under; nil for none.
  ///   - domain: the name of the files with the translations of the flows; nil for those that ship with coordinatord.
  ///   - addFlows: adds the flows to an empty catalogue.
  public static func run(
    name: String? = nil, domain: String? = nil, _ addFlows: @Sendable (inout FlowCatalogue) throws -> Void
  ) async -> Never {
    var catalogue = FlowCatalogue()
    do { try addFlows(&catalogue) } catch { ProviderCommandLine.end(complaining: error) }
    await run(name: name, domain: domain, flows: catalogue)
  }

  /// Serves the flows of a catalogue until the process receives SIGTERM or SIGINT, and then ends the process.
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
        domains: ["coordinatord"] + [domain].compactMap(\.self), directories: ProviderCommandLine.translationDirectories
      ) { ProviderCommandLine.complain("\($0)") }
    }
    let command: ProviderCommandLine
    do { command = try ProviderCommandLine.parse() } catch { ProviderCommandLine.exit(withError: error) }
    do { try await command.serve(catalogue, name: name) } catch { ProviderCommandLine.end(complaining: error) }
    exit(EXIT_SUCCESS)
  }
}

/// The command line of a provider.
struct ProviderCommandLine: ParsableCommand {
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

/// Serves flows to coordinatord from this process.
///
/// The daemon keeps the flows' trees, their states, screens and history, and asks this process to decide each event. The
/// process keeps nothing: it may be ended, replaced and started again at any time.
///
/// ```swift
/// var catalogue = FlowCatalogue()
/// try catalogue.add { Coffee() }
/// try await Provider(of: catalogue).serve(on: .open(.session))
/// ```
///
/// A coordinator behaves as in the daemon's own process, with these exceptions:
///
/// - Its handlers receive stand-ins for secrets, which can be kept, passed on and compared, but not read. Work receives the
///   secrets.
/// - ``/CoordinatorKit/Coordinator/review()`` returns one row, which the daemon replaces with the answers.
/// - The limits of a tree are checked after the handler, and lead to `ProviderFailed`.
public struct Provider: Sendable {
  /// The path of the object that the daemon calls.
  static let path: ObjectPath = "/org/coordinatord/FlowProvider1"

  private let service: any FlowService
  private let name: String?
  private let replaces: Bool
  private let idleTime: Duration?
  private let isOutdated: @Sendable () -> Bool
  private let complain: @Sendable (String) -> Void

  /// Creates a provider that does not serve yet.
  ///
  /// - Parameters:
  ///   - catalogue: the flows to serve.
  ///   - name: the well-known bus name to serve them under; nil for none. With a name, another process that takes it over
  ///     continues the flows.
  ///   - replaces: whether to take the name from a process that has it.
  ///   - idleTime: the time without questions after which ``serve(on:)`` returns; nil for no limit.
  ///   - complain: receives errors, one line at a time.
  public init(
    of catalogue: FlowCatalogue, name: String? = nil, replaces: Bool = false, idleTime: Duration? = nil,
    complain: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(of: FlowServer(catalogue), name: name, replaces: replaces, idleTime: idleTime, complain: complain)
  }

  /// Creates a provider of a service that does not serve yet.
  ///
  /// When a new daemon appears, `isOutdated` is called, and returns whether another process should continue the flows. If so,
  /// ``serve(on:)`` returns after a second without questions, when no work runs, or only movable work.
  package init(
    of service: any FlowService, name: String? = nil, replaces: Bool = false, idleTime: Duration? = nil,
    isOutdated: @escaping @Sendable () -> Bool = { false }, complain: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.service = service
    self.name = name
    self.replaces = replaces
    self.idleTime = idleTime
    self.isOutdated = isOutdated
    self.complain = complain
  }

  /// Serves the flows until the task is cancelled, the connection or the name is lost, or the idle time has passed without
  /// questions. Waits for the daemon if it is not running; never starts it.
  ///
  /// - Parameter connection: the connection to serve on. It must not serve another provider.
  /// - Throws: ``ProviderError``; `PathInUse` if the connection already serves a provider; otherwise the errors of bus calls.
  public func serve(on connection: Connection) async throws {
    let daemon = DaemonOwner(connection)
    let activity = Activity()
    let work = PerformedWork(service, connection, activity, complain: complain)
    let registrar = FlowRegistrar(service, as: name, with: daemon, on: connection, complain: complain)
    _ = try service.registration
    defer { work.cancelAll() }
    try await connection.export(
      ProviderObject(service, daemon: daemon, work: work, activity: activity, loop: connection.loop), at: Self.path)
    let events = connection.events
    if let name, try await connection.requestName(name, replace: replaces, allowReplacement: true) == .exists {
      throw ProviderError.nameTaken(name)
    }
    try await withThrowingTaskGroup { group in
      group.addTask {
        for await owner in try await daemon.owners() {
          guard let owner else { continue }
          await registrar.register(with: owner)
          work.tellAgain()
        }
      }
      group.addTask {
        for await _ in service.changes {
          if let owner = daemon.owner { await registrar.register(with: owner) }
        }
        // A service that never changes must not end the serving.
        try await Task.sleep(for: .seconds(1 << 40))
      }
      group.addTask {
        for await event in events {
          switch event {
          case .nameLost(let lost) where lost == name: return
          case .disconnected: throw ProviderError.busLost
          default: break
          }
        }
      }
      group.addTask {
        for await owner in try await daemon.owners() where owner != nil && isOutdated() {
          // A new process would repeat the work that this one has not ended.
          try await activity.waitUntilIdle(for: .seconds(1), isMovableEnough: true)
          return
        }
      }
      if let idleTime {
        group.addTask { [service] in
          repeat { try await activity.waitUntilIdle(for: idleTime) } while service.keepsSecrets
        }
      }
      defer { group.cancelAll() }
      do { try await group.next() } catch is CancellationError {}
    }
  }
}

/// Why a provider cannot serve.
public enum ProviderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another process has the bus name.
  case nameTaken(String)
  /// The connection to the bus was lost.
  case busLost

  /// A message on one line, for users.
  public var description: String {
    switch self {
    case .nameTaken(let name): "the name \(name) is taken: another process serves these flows, which --replace replaces"
    case .busLost: "the connection to the bus was lost"
    }
  }
}
