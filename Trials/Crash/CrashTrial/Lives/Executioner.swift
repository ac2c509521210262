import CoordinatorBus
import DBus
import TestBus

/// Starts the daemon and kills it, again and again.
struct Executioner {
  let command: [String]
  let environment: [String: String]
  let bus: PrivateBus
  let connection: Connection
  let witness: Witness
  let record: Record
  private var plan: KillPlan
  /// How long the last starts took.
  private var startUps: [Duration] = []
  private var lives = 0
  /// The unique name of the last daemon that was seen to serve.
  private var last: String?
  /// Whether the one that runs now was.
  private var isServing = false

  init(
    _ command: [String], _ environment: [String: String], on bus: PrivateBus, connection: Connection, witness: Witness,
    record: Record, plan: KillPlan
  ) {
    (self.command, self.environment) = (command, environment)
    (self.bus, self.connection, self.witness) = (bus, connection, witness)
    (self.record, self.plan) = (record, plan)
  }

  /// Goes on until there were enough kills, or the trial is to end.
  ///
  /// - Parameters:
  ///   - kills: How many.
  ///   - progress: Told of each.
  /// - Returns: The last daemon, which serves and which nobody has killed; nil if it does not serve, which is in the record then.
  /// - Throws: `Program.StartFailed`.
  mutating func run(kills: Int, progress: (Int) -> Void) async throws -> DaemonLife? {
    var life = try await begin(.serving(.zero))
    for number in 1...max(1, kills) where number <= kills && record.goesOn {
      await kill(life)
      record.add { figures in
        figures.kills += 1
        if !isServing { figures.killsDuringStartUp += 1 }
      }
      progress(number)
      life = try await begin(plan.next(startUp: startUps.max() ?? .milliseconds(20)))
    }
    if !isServing { await awaitService() }
    if isServing { return life }
    await kill(life)
    return nil
  }

  private func kill(_ life: DaemonLife) async {
    do {
      try await life.kill()
    } catch {
      record.report(error)
    }
  }

  /// Starts a daemon, and waits for the moment at which it has to die.
  private mutating func begin(_ moment: KillPlan.Moment) async throws -> DaemonLife {
    let life = try DaemonLife(command, environment, on: bus)
    lives += 1
    isServing = false
    // One that ends by itself must not be waited for.
    life.program.whenEnded { [witness, lives] in Task { await witness.hasEnded(lives) } }
    switch moment {
    case .started(let delay):
      try await Task.sleep(for: delay)
      guard let daemon = await witness.daemon, daemon != last else { break }
      (last, isServing) = (daemon, true)
    case .serving(let delay):
      await awaitService()
      guard isServing, let last else { break }
      startUps = startUps.suffix(20) + [.now - life.start]
      measure(life, as: last)
      try await Task.sleep(for: delay)
    }
    return life
  }

  private mutating func awaitService() async {
    guard let daemon = await witness.daemon(after: last, of: lives) else { return }
    (last, isServing) = (daemon, true)
  }

  /// Asks for the list of flows, which needs nothing to be back, and then for that of live ones, which needs everything.
  private func measure(_ life: DaemonLife, as daemon: String) {
    Task { [connection, record, start = life.start] in
      _ = try await connection.call(.manager("ListFlows", of: daemon))
      let first = ContinuousClock.now - start
      record.add { $0.firstAnswers.append(first) }
      _ = try await connection.call(.manager("ListActive", of: daemon))
      let all = ContinuousClock.now - start
      record.add { $0.restorations.append(all) }
    }
  }
}

extension MethodCall {
  /// A call of one daemon and of none that comes after it.
  fileprivate static func manager(_ member: String, of daemon: String) -> MethodCall {
    MethodCall(destination: daemon, path: Contract.rootPath, interface: Contract.managerInterface, member: member)
  }
}
