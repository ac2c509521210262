import CoordinatorBus
import CoordinatorClient
import CoordinatorJournal
import CoordinatorKit
import DBus
import Glibc
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

/// Determines when a process started, from public information of the kernel.
enum DaemonUptime {
  /// Returns when a process started, in microseconds since 1970; nil if it cannot be determined.
  static func start(of process: UInt32) -> UInt64? {
    guard let stat = text("/proc/\(process)/stat"), let boot = text("/proc/stat") else { return nil }
    return start(stat: stat, boot: boot, ticks: UInt64(max(1, sysconf(Int32(_SC_CLK_TCK)))))
  }

  /// Computes the start from proc(5).
  ///
  /// - Parameters:
  ///   - stat: contents of `/proc/PID/stat`. The program's name in it may contain spaces and parentheses.
  ///   - boot: contents of `/proc/stat`, which contains the time of boot.
  ///   - ticks: clock ticks in a second.
  /// - Returns: the microseconds since 1970; nil if the contents do not have the format of proc(5).
  static func start(stat: String, boot: String, ticks: UInt64) -> UInt64? {
    guard let (_, rest) = stat.bytes.cutLast(at: ")") else { return nil }
    // The 22nd field is the start; the third is the first one after the name.
    let fields = rest.bytes.split(separator: " ")
    let boots = boot.bytes.split(separator: "\n").lazy.compactMap { $0.bytes.dropping(prefix: "btime ") }
    guard fields.count > 19, let started = UInt64(fields[19]), let booted = boots.first.flatMap({ UInt64($0) })
    else { return nil }
    return booted * 1_000_000 + started * 1_000_000 / ticks
  }

  private static func text(_ path: String) -> String? {
    FileContent.read(path).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The state of a daemon, as `coordinatorctl status` prints it. A value without I/O.
struct StatusReport: Sendable, Hashable {
  var version: String
  var process: UInt32
  var user: UInt32
  /// The file name of the program; nil if it cannot be read.
  var program: String?
  var bus: String
  /// When the process started, in microseconds since 1970; nil if it is not known.
  var startedAt: UInt64?
  var flows: UInt64
  var renderers: UInt64
  /// The state directory; nil if it is not known.
  var stateDirectory: String?
  var isEphemeral: Bool
  /// The limits by the names of their properties.
  var limits: [String: UInt64]

  /// Returns the report for users.
  func lines(at now: UInt64, style: TextStyle) -> [String] {
    let state =
      isEphemeral
      ? "nothing is kept (--ephemeral)"
      : stateDirectory ?? (program == nil ? "unknown: the daemon runs as another user" : "unknown; the daemon's unit may name it")
    let rows = [
      ("Process", "\(process)" + (startedAt.map { ", up \(TreeRow.age(since: $0, at: now))" } ?? "")),
      ("Bus", bus),
      ("Flows", "\(flows) of at most \(limits["MaxFlows"].map(String.init) ?? "?")"),
      ("Renderers", "\(renderers)"),
      ("State", state.printable),
      ("Limits", limits.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")),
    ]
    let width = rows.map(\.0.utf8.count).max() ?? 0
    return [style.strong((program ?? "coordinatord").printable) + " \(version.printable)"]
      + rows.map { title, text in
        String(repeating: " ", count: width - title.utf8.count + 2) + style.quiet("\(title):") + " \(text)"
      }
  }

  /// The report as JSON. Unknown values are omitted.
  var json: JSONValue {
    var object: [String: JSONValue] = [
      "version": .string(version), "process": .integer(Int64(process)), "user": .integer(Int64(user)),
      "bus": .string(bus), "flows": JSONValue(count: flows), "renderers": JSONValue(count: renderers),
      "ephemeral": .boolean(isEphemeral), "limits": .object(limits.mapValues { JSONValue(count: $0) }),
    ]
    object["program"] = program.map(JSONValue.string)
    object["startedAt"] = startedAt.map { JSONValue(count: $0) }
    object["stateDirectory"] = stateDirectory.map(JSONValue.string)
    return .object(object)
  }
}

/// `coordinatorctl outcome`: prints how a flow ended.
public struct ShowOutcome: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints how a flow ended, as `run` does.
  ///
  /// - Parameter text: name of a root coordinator, path of a child such as `pets_1/schedule_visit_1`, or object path.
  /// - Returns: the exit code of the outcome.
  /// - Throws: ``ToolFailure`` if the flow is still running, or if it is unknown.
  public func run(_ text: String) async throws(ToolFailure) -> ToolExit {
    guard let path = try? text.bytes.hasPrefix("/") ? ObjectPath(text) : ObjectPath("\(Contract.flowsPath.string)/\(text)") else {
      throw ToolFailure(["'\(text.printable)' is not a coordinator; expected a name such as pets_1"], exit: .usage)
    }
    let end: FlowEnd?
    do {
      end = try await session.daemon.manager.outcome(of: path)
    } catch  where error.isUnknownObject {
      // For an abbreviation of a running flow's name, a more helpful message than "unknown" is available.
      if let root = try? await session.root(text) { throw Self.running(TreeSelector.name(root)) }
      throw ToolFailure(
        ["no flow called '\(text.printable)' is running or remembered"], cause: .unknown, name: "UnknownFlowTree")
    } catch {
      throw ToolFailure(error)
    }
    guard let end else { throw Self.running(text) }
    session.output.say(end.resultLines, json: JSONValue(end))
    return end.exitCode
  }

  private static func running(_ name: String) -> ToolFailure {
    ToolFailure(
      ["'\(name.printable)' is still running", "  wait for its end with: coordinatorctl wait \(name.printable) --ended"],
      name: "StillRunning")
  }
}
