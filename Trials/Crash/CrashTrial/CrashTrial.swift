import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus

/// A trial that kills a daemon again and again while clients use it, and compares its state with the answers that the clients
/// received.
public final class CrashTrial: Sendable {
  /// The parameters of a trial.
  public struct Plan: Sendable {
    /// The path of the daemon.
    public var executable: String
    /// Whether the daemon has the flow `errands` and the option that holds back its work.
    public var hasWork: Bool
    /// The number of times to kill the daemon.
    public var kills: Int
    /// The number of concurrent clients.
    public var clients: Int
    /// The seed of the random choices: of the kills and of the clients' calls, though not of how the two coincide.
    public var seed: UInt64
    /// How long the daemon serves at most before it is killed.
    public var longest: Duration
    /// Additional command-line options.
    public var options: [String]
    /// Whether the daemon stores nothing, so that all data must be missing.
    public var isEphemeral: Bool

    /// The program that serves the daemon's flows, which is killed as well; nil if the daemon has them built in.
    public var provider: String?

    /// Whether some flows end with their caller, at a moment that no call determines.
    public var hasCallers = true
    /// Variables that override or extend the daemon's environment.
    public var environment: [String: String] = [:]
    /// The state directory of the daemon; nil for a directory that is removed with the trial.
    public var stateDirectory: String?
    /// The minimum number of acknowledged transitions before the last daemon is stopped.
    public var least = 0
    /// Receives each call that got the expected answer, with the token of its tree and the flow, before the next call on that
    /// tree.
    public var onAnswer: @Sendable (String, String, TreeLedger.Doubt) -> Void = { _, _, _ in }

    /// Creates a plan.
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

  /// The number of trees that each client uses at once.
  private static let treesPerClient = 4

  private let plan: Plan
  private let record = Record()

  /// Creates a trial.
  public init(_ plan: Plan) { self.plan = plan }

  /// Makes the trial end early, but in order.
  public func stop() { record.stop() }

  /// Runs the trial on a private bus with a separate state directory.
  ///
  /// - Parameter progress: a closure that receives the number of each kill, and the figures so far.
  /// - Returns: the figures and the violations.
  /// - Throws: errors that are unrelated to the daemon under trial, such as a bus that cannot be started or a twin that fails.
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
    let provider = Task { [self] in try await killProviders(on: bus) }
    defer { provider.cancel() }
    try await withThrowingTaskGroup(of: [TreeLedger].self) { group in
      for client in 1...max(1, plan.clients) {
        let daemon = try await DaemonClient.connect(to: .address(bus.address))
        let twin = try await twin.client()
        for place in 1...Self.treesPerClient {
          let seed = plan.seed &+ UInt64(client * Self.treesPerClient + place)
          let player = Player(
            "client\(client)_\(place)", daemon: daemon, twin: twin, witness: witness, record: record,
            moves: Moves(seed: seed, hasWork: plan.hasWork, hasCallers: plan.hasCallers), hasProvider: plan.provider != nil,
            onAnswer: plan.onAnswer
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
    provider.cancel()
    try await provider.value
    await witness.close()
    _ = await twin.stop()
    record.add { $0.duration = .now - start }
    return record.figures
  }

  private func killProviders(on bus: PrivateBus) async throws {
    guard let provider = plan.provider else { return }
    var killer = ProviderKiller([provider], plan.environment, on: bus, record: record, seed: plan.seed, longest: plan.longest * 2)
    try await killer.run()
  }

  /// Releases all waiters for a daemon that will not start any more.
  private func end(_ witness: Witness) async {
    record.endPlay()
    await witness.close()
  }

  private func play(_ player: Player) async throws -> [TreeLedger] {
    var player = player
    do {
      return try await player.play()
    } catch {
      // With a client missing, the trial would prove less than it seems to.
      record.stop()
      throw error
    }
  }

  private func judge(_ audit: Audit, _ life: DaemonLife, _ client: DaemonClient, _ directory: String) async throws {
    // A tree with a violation is no longer used, and would be reported in every comparison.
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
    let flows = plan.provider == nil ? [] : ["--no-flows"]
    return [plan.executable, "--log-level", "error"] + flows + state + plan.options
  }
}
