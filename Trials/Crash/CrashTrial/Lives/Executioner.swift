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
  /// The durations of the most recent starts.
  private var startUps: [Duration] = []
  private var lives = 0
  /// The unique name of the last daemon that was seen serving.
  private var last: String?
  /// Whether the current daemon has been seen serving.
  private var isServing = false

  init(
    _ command: [String], _ environment: [String: String], on bus: PrivateBus, connection: Connection, witness: Witness,
    record: Record, plan: KillPlan
  ) {
    (self.command, self.environment) = (command, environment)
    (self.bus, self.connection, self.witness) = (bus, connection, witness)
    (self.record, self.plan) = (record, plan)
  }

  /// Kills daemons until there were enough kills or the trial ends.
  ///
  /// - Parameters:
  ///   - kills: the number of kills.
  ///   - progress: called after each kill with its number.
  /// - Returns: the last daemon, which serves and was not killed; nil if it does not serve, which is recorded as a
  ///   violation.
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

  /// Starts a daemon, and waits for the moment of its kill.
  private mutating func begin(_ moment: KillPlan.Moment) async throws -> DaemonLife {
    // A coordinator whose provider is away is an error in the daemon's log.
    let life = try DaemonLife(command, environment, on: bus, mayComplain: command.contains("--no-flows"))
    lives += 1
    isServing = false
    // The trial does not wait for a daemon that ends by itself.
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

  /// Measures the time to the list of flows, which needs no restored tree, and to that of the live flows, which needs all of
  /// them.
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
  /// Returns a call addressed to one daemon, not to its successors.
  fileprivate static func manager(_ member: String, of daemon: String) -> MethodCall {
    MethodCall(destination: daemon, path: Contract.rootPath, interface: Contract.managerInterface, member: member)
  }
}
