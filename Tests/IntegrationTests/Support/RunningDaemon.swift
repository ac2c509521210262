import BusLoad
import CoordinatorClient
import Glibc
import TestBus

/// The built `coordinatord`, or another daemon of this package, in a separate process and by default on a separate bus.
final class RunningDaemon: Sendable {
  let bus: PrivateBus
  let program: Program
  /// The daemon's unique name on the bus.
  let uniqueName: String

  /// The environment of the daemon's clients.
  var environment: [String: String] { Self.environment(of: bus) }

  /// Starts a daemon that keeps its state in the bus's directory, and waits until it owns its name, which is its last
  /// step.
  ///
  /// - Parameters:
  ///   - executable: the daemon's executable.
  ///   - bus: the bus; nil for a new one.
  ///   - launcher: a program that starts the daemon, with its arguments; empty to start the daemon directly.
  ///   - options: the options of the command line.
  /// - Returns: the daemon, ready to be called.
  /// - Throws: `LoadedDaemon.DidNotStart` if the daemon ends instead.
  static func start(
    executable: String = "coordinatord", on bus: PrivateBus? = nil, through launcher: [String] = [],
    _ options: [String] = []
  ) async throws -> RunningDaemon {
    let bus = try bus ?? PrivateBus()
    let daemon = try await LoadedDaemon.launch(
      launcher + [Built.executable(executable)] + options, on: bus, environment: environment(of: bus))
    return RunningDaemon(bus: bus, program: daemon.program, uniqueName: daemon.uniqueName)
  }

  private init(bus: PrivateBus, program: Program, uniqueName: String) {
    self.bus = bus
    self.program = program
    self.uniqueName = uniqueName
  }

  static func environment(of bus: PrivateBus) -> [String: String] {
    [
      "DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "XDG_STATE_HOME": bus.directory,
      // Excludes the configuration and the flows of the user who runs the tests.
      "XDG_CONFIG_HOME": bus.directory, "XDG_CONFIG_DIRS": bus.directory, "XDG_DATA_HOME": bus.directory,
      "LC_ALL": "C.UTF-8", "TERM": "dumb",
    ]
  }

  /// Opens a separate connection with the daemon's proxies.
  func client() async throws -> DaemonClient { try await DaemonClient.connect(to: .address(bus.address)) }

  /// Runs a program with the daemon's bus as its session bus.
  func run(_ arguments: String..., input: String = "", limit: Duration = .seconds(30)) async throws -> ProgramReport {
    try await Program.run(arguments, environment: environment, input: input, limit: limit)
  }

  /// Starts a program with the daemon's bus as its session bus.
  func launch(_ arguments: String...) throws -> Program { try Program(arguments, environment: environment) }

  /// Ends the daemon the way systemd does.
  ///
  /// - Returns: how the daemon ended.
  func stop() async -> ProgramReport {
    program.signal(SIGTERM)
    return await program.ended()
  }
}
