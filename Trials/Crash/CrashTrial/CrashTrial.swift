import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus

/// Kills a daemon again and again while clients play with it, and compares what it says with what they were told.
public final class CrashTrial: Sendable {
  /// What to do.
  public struct Plan: Sendable {
    /// The path of the daemon.
    public var executable: String
    /// Whether it has the flow `errands`, and the option that holds its work.
    public var hasWork: Bool
    /// How often to kill it.
    public var kills: Int
    /// How many clients play at once.
    public var clients: Int
    /// Where the randomness begins: of the kills and of what the clients do, though not of how the two meet.
    public var seed: UInt64
    /// How long at most to let it serve before it is killed.
    public var longest: Duration
    /// What to pass on the command line besides.
    public var options: [String]
    /// Whether the daemon keeps nothing, so that everything has to be found missing.
    public var isEphemeral: Bool

    /// Whether some flows end with their caller, at a moment that no call tells.
    public var hasCallers = true
    /// What the daemon's environment has besides.
    public var environment: [String: String] = [:]
    /// Where the daemon keeps its state; nil for a directory that goes away with the trial.
    public var stateDirectory: String?
    /// How many transitions have to be acknowledged before the last daemon is stopped.
    public var least = 0
    /// Told of each call that was answered as it has to be, with the token of its tree and the flow, before the next call on that tree.
    public var onAnswer: @Sendable (String, String, TreeLedger.Doubt) -> Void = { _, _, _ in }

    /// Puts a plan together.
    public init(
      executable: String, hasWork: Bool, kills: Int, clients: Int = 8, seed: UInt64, longest: Duration, options: [String] = [],
      isEphemeral: Bool = false
    ) {
      self.executable = executable
      self.hasWork = hasWork
      self.kills = kills
      self.clients = clients
      self.seed = seed
      self.longest = longest
      self.options = options
      self.isEphemeral = isEphemeral
    }
  }

  /// How many trees each client plays with at once.
  private static let treesPerClient = 4

  private let plan: Plan
  private let record = Record()

  /// A trial that has not begun.
  public init(_ plan: Plan) { self.plan = plan }

  /// Lets the trial end before its time, but as it should.
  public func stop() { record.stop() }

  /// Runs the trial, on a bus and with a state directory of its own.
  ///
  /// - Parameter progress: Told of each kill, and of what was counted until then.
  /// - Returns: What was counted, and what is wrong.
  /// - Throws: What has nothing to do with the daemon under trial: a bus that cannot be started, a twin that fails.
  public func run(progress: (Int, Figures) -> Void = { _, _ in }) async throws -> Figures {
    let start = ContinuousClock.now
    let bus = try PrivateBus()
    let twin = try await LoadedDaemon.start(plan.executable, ["--log-level", "error"] + (plan.hasWork ? ["--hold-work"] : []))
    let directory = plan.stateDirectory ?? "\(bus.directory)/state"
    let witness = try await Witness(try await Connection.open(.address(bus.address)))
    let client = try await DaemonClient.connect(to: .address(bus.address))
    var executioner = Executioner(
      command(directory), plan.environment, on: bus, connection: client.connection, witness: witness, record: record,
      plan: KillPlan(seed: plan.seed, longest: plan.longest))
    try await withThrowingTaskGroup(of: [TreeLedger].self) { group in
      for client in 1...max(1, plan.clients) {
        let daemon = try await DaemonClient.connect(to: .address(bus.address))
        let twin = try await twin.client()
        for place in 1...Self.treesPerClient {
          let seed = plan.seed &+ UInt64(client * Self.treesPerClient + place)
          let player = Player(
            "client\(client)_\(place)", daemon: daemon, twin: twin, witness: witness, record: record,
            moves: Moves(seed: seed, hasWork: plan.hasWork, hasCallers: plan.hasCallers), onAnswer: plan.onAnswer
          ) { try await Connection.open(.address(bus.address)) }
          group.addTask { try await self.play(player) }
        }
      }
      let life: DaemonLife?
      do {
        life = try await executioner.run(kills: plan.kills) { progress($0, record.figures) }
      } catch {
        await end(witness)
        throw error
      }
      while life != nil, record.goesOn, record.figures.acknowledged < plan.least { try await Task.sleep(for: .milliseconds(20)) }
      if life == nil { await end(witness) } else { record.endPlay() }
      let audit = Audit(ledgers: try await group.reduce([], +))
      if let life { try await judge(audit, life, client, directory) }
    }
    await witness.close()
    _ = await twin.stop()
    record.add { $0.duration = .now - start }
    return record.figures
  }

  /// Lets nobody wait for a daemon that will not come.
  private func end(_ witness: Witness) async {
    record.endPlay()
    await witness.close()
  }

  private func play(_ player: Player) async throws -> [TreeLedger] {
    var player = player
    do {
      return try await player.play()
    } catch {
      // Without one of its clients a trial says less than it seems to.
      record.stop()
      throw error
    }
  }

  private func judge(_ audit: Audit, _ life: DaemonLife, _ client: DaemonClient, _ directory: String) async throws {
    // A tree that something was wrong with is played no further, and would be found everywhere.
    let isWell = record.figures.violations.isEmpty
    do {
      if isWell { try await audit.checkLive(client) }
      try await life.stop()
      guard !plan.isEphemeral else { return }
      try Audit.checkIntegrity(in: directory)
      guard isWell else { return }
      for violation in try audit.historyViolations(in: directory) { record.report(violation) }
    } catch let violation as Violation {
      record.report(violation)
    }
  }

  private func command(_ directory: String) -> [String] {
    let state = plan.isEphemeral ? ["--ephemeral"] : ["--state-dir", directory, "--max-history", "\(UInt32.max)"]
    return [plan.executable, "--log-level", "error"] + state + plan.options
  }
}
