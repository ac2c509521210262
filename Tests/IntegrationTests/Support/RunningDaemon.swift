import CoordinatorBus
import CoordinatorClient
import DBus
import Glibc
import TestBus

/// The built `coordinatord`, or another daemon of this package, in a process of its own, on a bus of its own unless told otherwise.
final class RunningDaemon: Sendable {
  /// The daemon ended before it owned its name.
  struct DidNotStart: Error {
    let report: ProgramReport
  }

  let bus: PrivateBus
  let program: Program
  /// The daemon's unique name on the bus.
  let uniqueName: String

  /// What a client has to have in its environment.
  var environment: [String: String] { Self.environment(of: bus) }

  /// Starts a daemon, which keeps its state in a directory of the bus's, and waits until the bus says that it has taken its name, which it does last.
  ///
  /// - Parameters:
  ///   - executable: Which daemon.
  ///   - bus: The bus; nil for a new one.
  ///   - launcher: A program that is to start it, with its arguments; nothing to start it directly.
  ///   - options: What to pass on the command line.
  /// - Returns: The daemon, which can be called.
  /// - Throws: ``DidNotStart`` if it ends instead.
  static func start(
    executable: String = "coordinatord", on bus: PrivateBus? = nil, through launcher: [String] = [],
    _ options: [String] = []
  ) async throws -> RunningDaemon {
    let bus = try bus ?? PrivateBus()
    let watcher = try await Connection.open(.address(bus.address))
    let changes = try await watcher.signals(
      matching: MatchRule(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        arguments: [0: Contract.busName]))
    let program = try Program(launcher + [Built.executable(executable)] + options, environment: environment(of: bus))
    program.whenEnded { Task { await watcher.close() } }
    for await case .signal(let change) in changes {
      guard let owner = change.body.last?.string, !owner.isEmpty else { continue }
      await watcher.close()
      return RunningDaemon(bus: bus, program: program, uniqueName: owner)
    }
    throw DidNotStart(report: await program.ended())
  }

  private init(bus: PrivateBus, program: Program, uniqueName: String) {
    self.bus = bus
    self.program = program
    self.uniqueName = uniqueName
  }

  static func environment(of bus: PrivateBus) -> [String: String] {
    [
      "DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": bus.directory,
      // Not that of whoever runs the tests.
      "XDG_CONFIG_HOME": bus.directory, "XDG_CONFIG_DIRS": bus.directory,
      "LC_ALL": "C.UTF-8", "TERM": "dumb",
    ]
  }

  /// A connection of its own with the daemon's proxies.
  func client() async throws -> DaemonClient { try await DaemonClient.connect(to: .address(bus.address)) }

  /// Runs a program with the daemon's bus as its session bus.
  func run(_ arguments: String..., input: String = "", limit: Duration = .seconds(30)) async throws -> ProgramReport {
    try await Program.run(arguments, environment: environment, input: input, limit: limit)
  }

  /// Starts a program with the daemon's bus as its session bus.
  func launch(_ arguments: String...) throws -> Program { try Program(arguments, environment: environment) }

  /// Ends the daemon as systemd does.
  ///
  /// - Returns: How it ended.
  func stop() async -> ProgramReport {
    program.signal(SIGTERM)
    return await program.ended()
  }
}
