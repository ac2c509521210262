import CoordinatorBus
import CoordinatorClient
import CoordinatorJournal
import CoordinatorKit
import DBus
import Platform
import RendererKit

/// `coordinatorctl status`: prints which daemon is running, and its state.
public struct ShowStatus: Sendable {
  private let session: ToolSession
  private let bus: BusAddress

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - session: session on the bus.
  ///   - bus: bus of the session, for its address.
  public init(_ session: ToolSession, on bus: BusAddress) {
    self.session = session
    self.bus = bus
  }

  /// Prints the state of the daemon. Does not start it.
  ///
  /// - Parameter environment: environment of this process.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure`` if no daemon is running.
  public func run(environment: [String: String]) async throws(ToolFailure) -> ToolExit {
    let process = try await session.doing { () async throws(ClientError) in try await session.daemon.process() }
    guard let process else {
      throw ToolFailure(
        [
          "\(DaemonName.chosenUnlessStandard?.busName ?? "coordinatord") is not running on \(busName)",
          "  the next command that needs it starts it, if it is installed",
        ],
        exit: .noDaemon)
    }
    let properties = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.status() }
    let serving = ServingDaemon(process)
    let report = StatusReport(
      version: properties["Version"]?.string ?? "", process: process.number, user: process.user, program: serving?.program,
      bus: busName, startedAt: DaemonUptime.start(of: process.number),
      flows: properties["ActiveFlows"]?.uint64 ?? 0, renderers: properties["Renderers"]?.uint64 ?? 0,
      stateDirectory: serving.flatMap { daemon in
        daemon.keepsNothing
          ? nil
          : try? HistoryPlace.directory(
            stateDirectory: nil, name: .chosenUnlessStandard, serving: daemon, environment: environment,
            hasJournal: HistoryReader.isThere(in:))
      },
      isEphemeral: serving?.keepsNothing ?? false, limits: Self.limits(in: properties))
    session.output.say(report.lines(at: Timestamp.now.microseconds, style: session.output.style), json: report.json)
    return .success
  }

  private var busName: String {
    switch bus {
    case .session: "the session bus"
    case .system: "the system bus"
    case .address(let address): address.printable
    }
  }

  private static func limits(in properties: [String: Value]) -> [String: UInt64] {
    properties.filter { $0.key.bytes.hasPrefix("Max") }.compactMapValues(\.uint64)
  }
}
