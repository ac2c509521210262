import BusLoad
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
import TestBus

/// The environment in which a renderer is tested: a private bus, a daemon with the trial's flow, and a monitor of the
/// bus.
public final class TrialRun: Sendable {
  /// The bus for the renderer to connect to.
  public let bus: PrivateBus
  private let executable: String
  private let isServed: Bool
  /// The process that serves the flow; nil if it is built into the daemon.
  private let provider: Program?
  private let daemon: Lock<LoadedDaemon>
  private let monitor: Program
  private let client: DaemonClient
  private let pace: Double
  /// The steps of the trial, in order.
  private let steps: [TrialStep]
  /// The path of the flow's root coordinator.
  public let tree: ObjectPath

  /// The token of the flow, which the renderer attaches to.
  public static let token = "trial"

  /// Starts everything except the renderer.
  ///
  /// - Parameters:
  ///   - executable: the path of the program that is the daemon when given the argument `serve`, and a provider of the flow
  ///     when given `provide`.
  ///   - pace: how long the flow waits before an automatic event, in seconds.
  ///   - first: the step to begin with; nil for the first.
  ///   - features: the features to leave out; see ``TrialStep/feature``.
  ///   - isServed: whether a separate process serves the flow, instead of the daemon.
  /// - Throws: `PrivateBus.StartFailed`, `Program.StartFailed` and `ProgramReport` if a process cannot be started;
  ///   `ClientError`.
  public init(
    executable: String, pace: Double, from first: TrialStep? = nil, without features: [String] = [], isServed: Bool = false
  ) async throws {
    self.executable = executable
    self.isServed = isServed
    self.pace = pace
    steps = TrialStep.steps(from: first, without: features)
    let bus = try PrivateBus()
    self.bus = bus
    // `busctl` reports on stderr that it has begun to monitor.
    let script = "exec busctl --address=\"$1\" --json=short monitor 2>&1"
    monitor = try Program(["sh", "-c", script, "sh", bus.address])
    try await monitor.prints("Monitoring")
    let connection = try await Connection.open(.address(bus.address))
    client = DaemonClient(connection: connection)
    daemon = Lock(try await Self.startDaemon(executable, isServed, bus))
    provider = isServed ? try await Self.startProvider(executable, bus, connection) : nil
    var input: [String: JSONValue] = ["pace": JSONValue(pace), "without": .array(features.map(JSONValue.string))]
    input["from"] = first.map { .string($0.rawValue) }
    tree = try await client.manager.startFlow("renderer-trial", input: input, options: Options(token: Self.token)).coordinator
  }

  private static func startDaemon(_ executable: String, _ isServed: Bool, _ bus: PrivateBus) async throws -> LoadedDaemon {
    try await LoadedDaemon.start(executable, ["serve", "--log-level", "error"] + (isServed ? ["--no-flow"] : []), on: bus)
  }

  /// Starts the process that serves the flow, and waits until the daemon can start it.
  private static func startProvider(
    _ executable: String, _ bus: PrivateBus, _ connection: Connection
  ) async throws -> Program {
    let changes = try await connection.signals(
      matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowsChanged"))
    let provider = try Program([executable, "provide"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    provider.whenEnded { Task { await connection.close() } }
    _ = await changes.first { _ in true }
    return provider
  }

  /// Causes the events that the flow cannot cause itself, until the flow has ended.
  ///
  /// - Parameter tell: a closure that receives messages for the user who runs the trial, one line each.
  /// - Returns: the report.
  /// - Throws: `ClientError` if the bus is lost; the errors of ``init(executable:pace:from:without:isServed:)`` if the daemon
  ///   does not come back.
  public func run(telling tell: (String) -> Void) async throws -> TrialReport {
    let mirror = try await WindowMirror.attach(to: tree, of: client, kind: "another renderer")
    var step: TrialStep?
    var end: FlowEnd?
    for try await event in mirror.events {
      switch event {
      case .window(let window):
        guard let top = window.top, let shown = TrialStep(rawValue: top.screen.name), shown != step else { continue }
        step = shown
        try await meddle(with: shown, top, tell)
      case .ended(let ended): end = ended
      case .progress, .drafted, .typing, .participants, .language, .answered, .daemonLost, .daemonBack: break
      }
    }
    return TrialReport(end: end, review: try await review(), skipped: TrialStep.allCases.filter { !steps.contains($0) })
  }

  /// Causes the external events that a step needs.
  private func meddle(with step: TrialStep, _ top: PresentedScreen, _ tell: (String) -> Void) async throws {
    let router = client.router(try Contract.routerPath(of: tree))
    switch step {
    case .draft:
      try await pause()
      try? await router.saveDraft(screen: top.id, values: ["text": .string(RendererTrialFlow.draft)])
    case .replaced:
      try await pause()
      // The renderer may have answered first.
      _ = try? await client.coordinator(top.coordinator).delegate(screen: top.id, event: "elsewhere")
    case .restart:
      try await pause()
      await daemon.withLock { $0 }.kill()
      tell("The daemon was killed.")
      let next = try await Self.startDaemon(executable, isServed, bus)
      daemon.withLock { $0 = next }
      tell("The daemon is back.")
    default: break
    }
  }

  /// Waits for half of the pace.
  private func pause() async throws { try await Task.sleep(for: .seconds(pace / 2)) }

  /// Reviews all observed messages, once the monitor has printed every one of them.
  private func review() async throws -> ConductReview {
    let mark = "org.coordinatord.Trial.Over"
    _ = try? await client.connection.call(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "NameHasOwner",
      arguments: [.string(mark)])
    try await monitor.prints(mark)
    var review = ConductReview(ignoring: [client.connection.uniqueName])
    for line in monitor.output.split(separator: "\n") {
      if let message = ObservedMessage(line: String(line)) { review.receive(message) }
    }
    return review
  }
}
