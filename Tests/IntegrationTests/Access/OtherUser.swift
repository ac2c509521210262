import CoordinatorBus
import CoordinatorClient
import DBus
import Glibc
import TestBus

/// A user other than the one who runs the tests, to run programs as. Requires root.
struct OtherUser: Sendable {
  /// The unprivileged user with number 65534, in no relevant group.
  static let stranger = OtherUser(groups: [])
  /// The same user as a member of the group `users`.
  static let member = OtherUser(groups: [100])

  static let number: UInt32 = 65_534
  /// The name of the group of ``member``, which exists on every Debian system.
  static let group = "users"

  /// Whether programs can be run as another user, and the message if not.
  static let isPossible = geteuid() == 0
  static let reason = "Only root can run programs as another user."

  let groups: [UInt32]

  private func command(_ arguments: [String]) -> [String] {
    let groups = groups.isEmpty ? ["--clear-groups"] : ["--groups", groups.map(String.init).joined(separator: ",")]
    return ["setpriv", "--reuid", "\(Self.number)", "--regid", "\(Self.number)"] + groups + arguments
  }

  /// Calls a method with busctl and waits for the reply.
  func call(_ bus: PrivateBus, _ arguments: [String]) async throws -> ProgramReport {
    try await Program.run(command(["busctl", "--address=\(bus.address)", "call"] + arguments))
  }

  /// Starts a program whose session bus is a bus.
  func launch(on bus: PrivateBus, _ arguments: [String]) throws -> Program {
    try Program(command(arguments), environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
  }

  /// Starts listening to all signals that the bus lets the user receive.
  func listen(on bus: PrivateBus, with root: DaemonClient) async throws -> Program {
    let program = try Program(command(["dbus-monitor", "--address", bus.address, "type='signal'"]))
    // dbus-monitor does not report when its match rule is active.
    try await poll {
      try await root.connection.emit(Signal(path: "/", interface: "org.example.Probe", member: "Ready"))
      _ = try await root.connection.busID()
      return program.output.contains("member=Ready") || !program.isRunning
    }
    return program
  }

  /// Sends a signal that all users may receive, and waits until a listener has received it, and therefore everything before it.
  func mark(_ bus: PrivateBus, heardBy listener: Program) async throws {
    let report = try await Program.run(
      command(["dbus-send", "--bus=\(bus.address)", "--type=signal", "/", "org.example.Probe.Mark"]))
    guard report.status == .exited(0) else { throw report }
    try await listener.prints("member=Mark")
  }

  /// Calls to every interface of a daemon with the flow tree `flow`, valid in everything but their sender.
  static func calls(of flow: String) -> [[String]] {
    let root = Contract.rootPath.string
    let coordinator = "\(Contract.flowsPath.string)/\(flow)"
    let own = [
      [root, "Manager", "StartFlow", "sa{sv}a{sv}", "pets", "0", "0"],
      [root, "Manager", "RunFlow", "sa{sv}a{sv}", "pets", "0", "0"],
      [root, "Manager", "ListActive"], [root, "Manager", "ListFlows"], [root, "Manager", "GetOutcome", "o", coordinator],
      [coordinator, "Coordinator", "Delegate", "tsa{sv}a{sv}", "1", "schedule-visit", "0", "0"],
      [coordinator, "Coordinator", "StartChild", "sa{sv}a{sv}", "how-to-code", "0", "0"],
      [coordinator, "Coordinator", "Dismiss", "ba{sv}", "true", "0"],
      ["\(coordinator)/router", "Router", "Back", "ta{sv}", "1", "0"], ["\(coordinator)/router", "Router", "Attach"],
    ]
    let standard = [root, coordinator, "/", "/nowhere"].flatMap { path in
      [
        [path, "Introspectable", "Introspect"], [path, "Peer", "Ping"], [path, "Peer", "GetMachineId"],
        [path, "ObjectManager", "GetManagedObjects"], [path, "Properties", "GetAll", "s", ""],
        [path, "Properties", "Get", "ss", Contract.managerInterface, "Version"],
      ]
    }
    return own.map { [$0[0], "\(Contract.busName).\($0[1])"] + $0.dropFirst(2) }
      + standard.map { [$0[0], "org.freedesktop.DBus.\($0[1])"] + $0.dropFirst(2) }
  }
}
