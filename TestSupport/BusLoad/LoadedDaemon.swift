import CoordinatorBus
import CoordinatorClient
import DBus
import Foundation
import Glibc
import TestBus

/// A `coordinatord` process on a private bus, for load tests.
public struct LoadedDaemon: Sendable {
  /// The error for a daemon that ended before it owned its bus name.
  public struct DidNotStart: Error, CustomStringConvertible {
    /// The output of the daemon.
    public let report: ProgramReport

    /// A human-readable message.
    public var description: String { "the daemon did not start: \(report)" }
  }

  /// The bus on which the daemon serves.
  public let bus: PrivateBus
  /// The process of the daemon.
  public let program: Program
  /// The daemon's unique name on the bus.
  public let uniqueName: String

  /// Starts a daemon and waits until it owns its bus name, which is the last step of its start. It stores its state in the
  /// directory of the bus unless the options say otherwise.
  ///
  /// - Parameters:
  ///   - executable: the path of `coordinatord`.
  ///   - options: the command-line options.
  ///   - bus: the bus of a daemon that has ended, along with the state in its directory; nil for a new bus.
  ///   - more: variables that override or extend the environment.
  ///   - limit: how long the daemon may take to own its name before it is killed; nil for no limit.
  /// - Returns: the daemon, ready to be called.
  /// - Throws: ``DidNotStart``; `PrivateBus.StartFailed`; `ConnectionError`.
  public static func start(
    _ executable: String, _ options: [String] = [], on bus: PrivateBus? = nil, environment more: [String: String] = [:],
    limit: Duration? = nil
  ) async throws -> LoadedDaemon {
    let bus = try bus ?? PrivateBus()
    // A trap must end the process at once: the backtracer may take long, or hang where it may not trace.
    let environment = [
      "DBUS_SESSION_BUS_ADDRESS": bus.address, "SWIFT_BACKTRACE": "enable=no",
      "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=16", "XDG_STATE_HOME": bus.directory,
      "XDG_CONFIG_HOME": bus.directory, "XDG_CONFIG_DIRS": bus.directory,
    ]
    return try await launch([executable] + options, on: bus, environment: environment.merging(more) { $1 }, limit: limit)
  }

  /// Starts a daemon with a command and waits until it owns its bus name, which is the last step of its start.
  ///
  /// - Parameters:
  ///   - command: the executable or a launcher, and the arguments.
  ///   - bus: the bus, which the environment names.
  ///   - environment: variables that override or extend the environment.
  ///   - limit: how long the daemon may take to own its name before it is killed; nil for no limit.
  /// - Returns: the daemon, ready to be called.
  /// - Throws: ``DidNotStart``; `ConnectionError`.
  public static func launch(
    _ command: [String], on bus: PrivateBus, environment: [String: String], limit: Duration? = nil
  ) async throws -> LoadedDaemon {
    let watcher = try await Connection.open(.address(bus.address))
    let changes = try await watcher.signals(
      matching: MatchRule(sender: "org.freedesktop.DBus", member: "NameOwnerChanged", arguments: [0: Contract.busName]))
    let program = try Program(command, environment: environment)
    program.whenEnded { Task { await watcher.close() } }
    let killer = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        program.signal(SIGKILL)
      }
    }
    defer { killer?.cancel() }
    for await case .signal(let change) in changes {
      guard let owner = change.body.last?.string, !owner.isEmpty else { continue }
      await watcher.close()
      return LoadedDaemon(bus: bus, program: program, uniqueName: owner)
    }
    throw DidNotStart(report: await program.ended())
  }

  /// Opens a new connection to the daemon's bus.
  public func connect() async throws -> Connection { try await Connection.open(.address(bus.address)) }

  /// Opens a new connection with proxies for the daemon.
  public func client() async throws -> DaemonClient { DaemonClient(connection: try await connect()) }

  /// Returns the current memory use of the process.
  public func memory() throws -> ProcessMemory { try ProcessMemory(of: program.processIdentifier) }

  /// The total size of the files in the default state directory, in bytes.
  public var stateSize: Int {
    let directory = URL(filePath: bus.directory).appending(path: "coordinatord")
    let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: [.fileSizeKey])
    return (files ?? []).reduce(0) { $0 + ((try? $1.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) }
  }

  /// A description of the problem with the process; nil if there is none. Searches stderr for messages of a sanitizer or the
  /// Swift runtime.
  public var complaint: String? {
    let signs = ["Sanitizer", "Fatal error", "runtime error:", "SWIFT TASK CONTINUATION MISUSE", "were incorrect, assertion"]
    if let sign = signs.first(where: program.errors.contains) {
      return "the daemon's stderr speaks of '\(sign)':\n\(program.errors)"
    }
    return nil
  }

  /// Whether the process exists.
  public var isRunning: Bool { Glibc.kill(program.processIdentifier, 0) == 0 }

  /// Stops the daemon with SIGTERM, as systemd does, and waits for its end.
  ///
  /// - Returns: the exit status and the output.
  public func stop() async -> ProgramReport {
    program.signal(SIGTERM)
    return await program.ended()
  }

  /// Kills the daemon with SIGKILL, as in a crash, and waits for its end.
  public func kill() async {
    program.signal(SIGKILL)
    _ = await program.ended()
  }

  /// Waits for the end of the daemon, and returns the exit status and the output.
  public func ended() async -> ProgramReport { await program.ended() }
}
