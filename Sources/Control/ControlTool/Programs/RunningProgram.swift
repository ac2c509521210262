import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc
import KeeperClient
import Platform
import RendererKit

/// A program that `coordinatorctl` has started, and the flow tree that shows it.
struct RunningProgram: Sendable {
  /// The root of the flow tree.
  let tree: ObjectPath
  private let kept: KeptProgram
  /// The keeper's process.
  let keeper: StartedProcess
  private let session: ToolSession
  private let awaitedEnd: AwaitedEnd

  /// The time to wait for the end of the flow and of the keeper after the end of the program.
  private static let patience = Duration.seconds(3)

  /// The name of the flow.
  static let flow = "program"

  /// Starts a program and its flow.
  ///
  /// - Parameters:
  ///   - order: program to run.
  ///   - session: session with the daemon that shows it.
  ///   - signals: signals that end the keeper as soon as it exists.
  /// - Throws: ``ToolFailure``; ``ProgramNotStarted``.
  init(_ order: ProgramOrder, _ session: ToolSession, signals: ProgramSignals? = nil) async throws {
    let options = Options(token: order.token, lifetime: .daemon, fresh: order.isFresh ? true : nil)
    if let ended = await session.endedToken(options) { throw ended.failure }
    if let token = order.token { try await Self.check(token, session) }
    let user = try await Self.serverUser(session)
    let name = Self.name(of: order.token)
    let scope = ProgramScope(name: name, connection: session.daemon.connection)
    let started = try await KeeperProcess(name, order, sharedWith: user == getuid() ? nil : user) { keeper in
      signals?.obey(for: keeper)
      await scope.take(keeper.id)
    }
    keeper = started.process
    kept = KeptProgram(name: name, places: .own)
    self.session = session
    do {
      awaitedEnd = try kept.awaitingEnd()
      let started = try await session.doing { () async throws(ClientError) in
        try await session.namedDaemon.manager.startFlow(
          Self.flow, input: ["program": .string(name), "title": .string(order.heading)], options: options)
      }
      tree = started.coordinator
    } catch {
      // The program's questions would be shown nowhere.
      keeper.terminate()
      throw error
    }
  }

  /// Returns the name of a program. It is short, because a socket's path is limited to 107 bytes, and always the same for a
  /// token, because a flow that is started again with its token has the same input.
  private static func name(of token: String?) -> String {
    guard let token else { return "p\(String(UInt64.random(in: 0 ... .max), radix: 36))" }
    // FNV-1a
    let hash = token.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "t\(String(hash, radix: 36))"
  }

  /// Waits for the end of the program.
  ///
  /// If a provider serves the flow, the flow and the keeper have ended as well, so that the token can be used for the next
  /// program.
  func ending() async -> ProgramEnd {
    let failure = Lock<String?>(nil)
    let watch = Task { await endWithFlow { reason in failure.withLock { $0 = reason } } }
    var end = await awaitedEnd.end()
    watch.cancel()
    if let failure = failure.withLock(\.self), end.status != nil {
      end.add(trouble: "the program was ended, because its flow has failed: \(failure)")
    }
    await withTaskGroup { group in
      group.addTask {
        if await keeper.isOverUnlessCancelled() { await followFlow { await hasEnded } }
      }
      // A daemon that does not answer must not delay the end.
      group.addTask { try? await Task.sleep(for: Self.patience) }
      await group.next()
      group.cancelAll()
    }
    guard case .lost(let reason) = end.cause, let status = keeper.endStatus else { return end }
    return ProgramEnd(lost: "\(reason), with the status \(status)")
  }

  /// Ends the program if its flow ends before the program, which no client could answer any more. The flow was dismissed while its
  /// provider was away, or has failed.
  ///
  /// - Parameter report: closure that receives the reason why the flow has failed.
  private func endWithFlow(_ report: @escaping @Sendable (String) -> Void) async {
    await followFlow {
      switch try? await session.daemon.manager.outcome(of: tree) {
      case .cancelled: break
      // The flow knows from the keeper that the program has ended, or what it takes for that.
      case .failed(code: "program-ended", _, _): break
      case .failed(_, let message, _): report(message)
      default: return false
      }
      await end()
      return true
    }
  }

  /// Checks the flow now, and whenever it may have ended.
  ///
  /// - Parameter isDone: closure that checks the flow, and returns whether to stop.
  private func followFlow(_ isDone: @escaping @Sendable () async -> Bool) async {
    let rules = [
      MatchRule(
        path: Contract.rootPath, interface: Contract.managerInterface, member: "FlowEnded", argumentPaths: [0: tree.string]),
      // A daemon that has come back may have ended the flow without a signal to this process.
      MatchRule(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        arguments: [0: Contract.busName]),
    ]
    var changes: [SignalSequence] = []
    for rule in rules {
      guard let signals = try? await session.daemon.connection.signals(matching: rule) else { return }
      changes.append(signals)
    }
    // Only after subscribing: an end before the subscriptions would be missed otherwise.
    if await isDone() { return }
    await withTaskGroup { group in
      for signals in changes {
        group.addTask {
          for await delivery in signals {
            // Calling a daemon that has left could start it again.
            if case .signal(let message) = delivery, message.body.last?.string == "" { continue }
            if await isDone() { return }
          }
        }
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// Ends the program. A keeper that cannot be reached, or does not respond, receives a signal.
  func end() async { if await !kept.end(within: .seconds(2)) { keeper.terminate() } }

  /// Throws if the token's flow is running: the daemon would return that flow, which shows another program, instead of a new
  /// one.
  private static func check(_ token: String, _ session: ToolSession) async throws(ToolFailure) {
    let active = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listActive() }
    guard active.contains(where: { TreeSelector.name($0.coordinator) == token }) else { return }
    throw ToolFailure([
      "'\(token.printable)' runs already, and nothing was started",
      "  show it: coordinator-tui \(token.printable)", "  or use another token",
    ])
  }

  /// The name of the flow tree, for users.
  var name: String { TreeSelector.name(tree) }

  /// The message that tells users where the program is shown.
  var announcement: String {
    "coordinatorctl: shown as \(name): coordinator-tui \(name), or coordinator-web --open \(name)\n"
  }

  /// Whether the flow has ended, so that no answer is possible any more.
  var hasEnded: Bool {
    get async {
      do {
        return try await session.daemon.manager.outcome(of: tree) != nil
      } catch { return error.isUnknownObject }
    }
  }

  /// Returns the user whose process shows live programs, and starts that process if it is not running.
  private static func serverUser(_ session: ToolSession) async throws(ToolFailure) -> uid_t {
    let bus = Proxy(
      connection: session.daemon.connection, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
      interface: "org.freedesktop.DBus")
    let server = Contract.scriptsName
    func user() async throws -> uid_t? {
      guard case .uint32(let user)? = try await bus.call("GetConnectionUnixUser", [.string(server)]).first else { return nil }
      return user
    }
    do {
      // The bus starts only services with a service file, but the process may have been started by hand.
      if let user = try? await user() { return user }
      _ = try await bus.call("StartServiceByName", [.string(server), .uint32(0)])
      if let user = try await user() { return user }
    } catch {
      throw ToolFailure([
        "nobody on this bus can show programs: \(server) cannot be started (\(error))",
        "  start it: coordinator-scripts serve" + (DaemonName.chosenUnlessStandard.map { " --daemon \($0)" } ?? ""),
      ])
    }
    throw ToolFailure(["the bus does not say who serves \(server)"])
  }
}

/// The bus on which a program is shown.
public enum ProgramBus {
  /// Returns the bus for a program.
  ///
  /// Root has no user bus. A program under sudo is shown on the system bus if programs are served there, which a provider
  /// file of the administrator determines, and otherwise to the user who called sudo.
  ///
  /// - Parameters:
  ///   - given: bus of the command line; nil if it names none.
  ///   - environment: environment of the process.
  /// - Returns: the bus.
  public static func chosen(_ given: BusAddress?, environment: [String: String]) async -> BusAddress {
    if let given { return given }
    guard geteuid() == 0, environment["DBUS_SESSION_BUS_ADDRESS"] == nil,
      let user = environment["SUDO_UID"].flatMap({ uid_t($0) })
    else { return .session }
    let own = "/run/user/\(user)/bus"
    if await isServed(.system) || access(own, F_OK) != 0 { return .system }
    return .address("unix:path=\(own)")
  }

  private static func isServed(_ bus: BusAddress) async -> Bool {
    guard let daemon = try? await DaemonClient.connect(to: bus) else { return false }
    let isServed = (try? await daemon.manager.listFlows())?.contains { $0.name == RunningProgram.flow } ?? false
    await daemon.close()
    return isServed
  }
}

/// The control group of a program, on systems with systemd: without a separate one, the program would end together with the
/// terminal.
struct ProgramScope: Sendable {
  let name: String
  /// A connection to the bus of the user.
  let connection: Connection

  /// The maximum number of checks whether the process has been moved, 5 ms apart.
  private static let mostLooks = 400

  /// Moves a process that has not started other processes yet, and waits until it has been moved, or systemd has refused.
  ///
  /// - Parameter process: id of the process.
  func take(_ process: pid_t) async {
    // A user's systemd manager cannot move processes of root.
    let own = geteuid() == 0 ? (try? await Connection.open(.system)) : nil
    if await start(with: process, own ?? connection) {
      for _ in 0..<Self.mostLooks where !has(process) { try? await Task.sleep(for: .milliseconds(5)) }
    }
    await own?.close()
  }

  private var unit: String { "coordinator-program-\(name).scope" }

  /// Asks systemd to start the scope, and returns whether it has accepted.
  private func start(with process: pid_t, _ connection: Connection) async -> Bool {
    let bus = Proxy(
      connection: connection, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
      interface: "org.freedesktop.DBus")
    // On systems without systemd, the bus must not start it for this purpose.
    let owned = try? await bus.call("NameHasOwner", [.string("org.freedesktop.systemd1")]).first
    guard case .boolean(true)? = owned else { return false }
    let manager = Proxy(
      connection: connection, destination: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1",
      interface: "org.freedesktop.systemd1.Manager")
    let properties: [Value] = [
      .structure([.string("PIDs"), .variant(.array(of: .uint32, [.uint32(UInt32(process))]))]),
      .structure([.string("Description"), .variant(.string("A program of coordinatorctl exec"))]),
    ]
    let reply = try? await manager.call(
      "StartTransientUnit",
      [
        .string(unit), .string("fail"), .array(of: .structure([.string, .variant]), properties),
        .array(of: .structure([.string, .array(.structure([.string, .variant]))]), []),
      ], deadline: .seconds(5))
    return reply != nil
  }

  /// Returns whether a process is in the scope, or has ended.
  private func has(_ process: pid_t) -> Bool {
    guard let file = fopen("/proc/\(process)/cgroup", "re") else { return true }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self).bytes.contains("/\(unit)")
  }
}
