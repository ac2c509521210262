import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Glibc
import KeeperClient
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

  /// How long the end of the flow and of the keeper is awaited after the end of the program.
  private static let patience = Duration.seconds(3)

  /// The name of the flow.
  static let flow = "program"

  /// Starts a program and its flow.
  ///
  /// - Parameters:
  ///   - order: the program.
  ///   - session: the daemon to show it.
  ///   - signals: what is told as soon as there is a keeper to end.
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
        try await session.daemon.manager.startFlow(
          Self.flow, input: ["program": .string(name), "title": .string(order.heading)], options: options)
      }
      tree = started.coordinator
    } catch {
      // Nobody would see its questions.
      keeper.terminate()
      throw error
    }
  }

  /// Returns the name of a program: short, since a socket's path has room for 107 bytes, and for a token always the same,
  /// since a flow that is started again with its token has the same input.
  private static func name(of token: String?) -> String {
    guard let token else { return "p\(String(UInt64.random(in: 0 ... .max), radix: 36))" }
    // FNV-1a
    let hash = token.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "t\(String(hash, radix: 36))"
  }

  /// Waits for the end of the program.
  ///
  /// The flow and the keeper have ended, too, if somebody serves the flow: the token can be used for the next program.
  func ending() async -> ProgramEnd {
    let watch = Task { await endWithFlow() }
    let end = await awaitedEnd.end()
    watch.cancel()
    await withTaskGroup { group in
      group.addTask {
        if await keeper.isOverUnlessCancelled() { await followFlow { await hasEnded } }
      }
      // A daemon that does not answer is not waited for.
      group.addTask { try? await Task.sleep(for: Self.patience) }
      await group.next()
      group.cancelAll()
    }
    guard case .lost(let reason) = end.cause, let status = keeper.endStatus else { return end }
    return ProgramEnd(lost: "\(reason), with the status \(status)")
  }

  /// Has the program ended if its flow was dismissed: who serves the flow may have been away then.
  private func endWithFlow() async { await followFlow { await endIfCancelled() } }

  /// Looks at the flow now, and whenever it may have ended.
  ///
  /// - Parameter isDone: closure that looks, and returns whether that was the last time.
  private func followFlow(_ isDone: @escaping @Sendable () async -> Bool) async {
    let rules = [
      MatchRule(
        path: Contract.rootPath, interface: Contract.managerInterface, member: "FlowEnded", argumentPaths: [0: tree.string]),
      // A daemon that has come back may have ended the flow without a signal that reached this process.
      MatchRule(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        arguments: [0: Contract.busName]),
    ]
    var changes: [SignalSequence] = []
    for rule in rules {
      guard let signals = try? await session.daemon.connection.signals(matching: rule) else { return }
      changes.append(signals)
    }
    // Only now: an end before the subscriptions would be missed otherwise.
    if await isDone() { return }
    await withTaskGroup { group in
      for signals in changes {
        group.addTask {
          for await delivery in signals {
            // Asking a daemon that has left could start it again.
            if case .signal(let message) = delivery, message.body.last?.string == "" { continue }
            if await isDone() { return }
          }
        }
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// Has the program ended if its flow was dismissed, and returns whether it was.
  private func endIfCancelled() async -> Bool {
    guard case .cancelled? = try? await session.daemon.manager.outcome(of: tree) else { return false }
    await end()
    return true
  }

  /// Has the program ended. A keeper that cannot be told so, or says nothing to it, gets a signal.
  func end() async { if await !kept.end(within: .seconds(2)) { keeper.terminate() } }

  /// A flow that runs with a token would be returned in place of a new one, and shows another program.
  private static func check(_ token: String, _ session: ToolSession) async throws(ToolFailure) {
    let active = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listActive() }
    guard active.contains(where: { TreeSelector.name($0.coordinator) == token }) else { return }
    throw ToolFailure([
      "'\(token.printable)' runs already, and nothing was started",
      "  show it: coordinator-tui \(token.printable)", "  or use another token",
    ])
  }

  /// The name of the flow tree, as people call it.
  var name: String { TreeSelector.name(tree) }

  /// What tells people where the program is shown.
  var announcement: String {
    "coordinatorctl: shown as \(name): coordinator-tui \(name), or coordinator-web --open \(name)\n"
  }

  /// Whether the flow has ended, and nothing can be answered any more.
  var hasEnded: Bool {
    get async {
      do {
        return try await session.daemon.manager.outcome(of: tree) != nil
      } catch { return error.isUnknownObject }
    }
  }

  /// Returns the user whose process shows live programs, and starts that process if it does not run.
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
      // The bus starts only what has a file, but somebody may run it by hand.
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
