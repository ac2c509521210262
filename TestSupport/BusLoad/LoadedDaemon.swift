import CoordinatorBus
import CoordinatorClient
import DBus
import Foundation
import Glibc
import TestBus

/// A `coordinatord` in a process and on a bus of its own, to be put under load.
public struct LoadedDaemon: Sendable {
  /// It ended before it owned its name.
  public struct DidNotStart: Error, CustomStringConvertible {
    /// What it printed.
    public let report: ProgramReport

    /// For people.
    public var description: String { "the daemon did not start: \(report)" }
  }

  /// Where it is.
  public let bus: PrivateBus
  /// Its process.
  public let program: Program

  /// Starts a daemon, which keeps its state in a directory of the bus's unless told otherwise, and waits until it owns its name, which it takes last.
  ///
  /// - Parameters:
  ///   - executable: The path of `coordinatord`.
  ///   - options: What to pass on the command line.
  ///   - bus: The bus of one that has ended, with what it has left; nil for a new one.
  ///   - more: What differs from this process's environment besides.
  ///   - limit: After this time without its name it is killed.
  /// - Returns: The daemon, which can be called.
  /// - Throws: ``DidNotStart``; `PrivateBus.StartFailed`; `ConnectionError`.
  public static func start(
    _ executable: String, _ options: [String] = [], on bus: PrivateBus? = nil, environment more: [String: String] = [:],
    limit: Duration? = nil
  ) async throws -> LoadedDaemon {
    let bus = try bus ?? PrivateBus()
    let watcher = try await Connection.open(.address(bus.address))
    let changes = try await watcher.signals(
      matching: MatchRule(sender: "org.freedesktop.DBus", member: "NameOwnerChanged", arguments: [0: Contract.busName]))
    // A trap has to end the process at once; the backtracer may take its time, or wait for ever where it may not trace.
    let environment = [
      "DBUS_SESSION_BUS_ADDRESS": bus.address, "SWIFT_BACKTRACE": "enable=no",
      "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=16", "XDG_STATE_HOME": bus.directory,
      "XDG_CONFIG_HOME": bus.directory, "XDG_CONFIG_DIRS": bus.directory,
    ]
    let program = try Program([executable] + options, environment: environment.merging(more) { $1 })
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
      return LoadedDaemon(bus: bus, program: program)
    }
    throw DidNotStart(report: await program.ended())
  }

  /// A new connection to the daemon's bus.
  public func connect() async throws -> Connection { try await Connection.open(.address(bus.address)) }

  /// A new connection with the daemon's proxies.
  public func client() async throws -> DaemonClient { DaemonClient(connection: try await connect()) }

  /// What it holds now.
  public func memory() throws -> ProcessMemory { try ProcessMemory(of: program.processIdentifier) }

  /// How many bytes the files have in which it keeps its state.
  public var stateSize: Int {
    let directory = URL(filePath: bus.directory).appending(path: "coordinatord")
    let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: [.fileSizeKey])
    return (files ?? []).reduce(0) { $0 + ((try? $1.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) }
  }

  /// What is wrong with the process, if anything: it has ended, or a sanitizer or the Swift runtime has complained.
  public var complaint: String? {
    let signs = ["Sanitizer", "Fatal error", "runtime error:", "SWIFT TASK CONTINUATION MISUSE", "were incorrect, assertion"]
    if let sign = signs.first(where: program.errors.contains) {
      return "the daemon's stderr speaks of '\(sign)':\n\(program.errors)"
    }
    return nil
  }

  /// Whether it still runs.
  public var isRunning: Bool { Glibc.kill(program.processIdentifier, 0) == 0 }

  /// Ends it as systemd does.
  ///
  /// - Returns: How it ended and what it has said.
  public func stop() async -> ProgramReport {
    program.signal(SIGTERM)
    return await program.ended()
  }

  /// Ends it as a power cut does.
  public func kill() async {
    program.signal(SIGKILL)
    _ = await program.ended()
  }

  /// How it ended, once it has.
  public func ended() async -> ProgramReport { await program.ended() }
}
