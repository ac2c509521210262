import CoordinatorClient
import CoordinatorKit
import Glibc
import TestBus
import Testing

@Suite("How often a step of a script is begun", .timeLimit(.minutes(5)))
struct ScriptAttemptTests {
  enum Victim: String, CaseIterable {
    case daemon, engine, script, step
  }

  @Test("A step has its attempts once, whichever process is killed during one", arguments: Victim.allCases)
  func attemptsAreCountedOverKills(_ victim: Victim) async throws {
    let trial = try await Trial(
      """
      ask menu go Go? yes=Yes
      ask step do --attempts 3 -- sh -c 'echo "$COORDINATOR_ATTEMPT" >>"$1"; [ "$COORDINATOR_ATTEMPT" -ne 2 ] || exec sleep 1000; exit 1' \\
        sh "$notes" || echo failed >>"$notes"
      ask message end End
      """)
    try await trial.flow.shows("go")
    try await trial.flow.send("yes")
    try await poll { trial.world.noted == ["1", "2"] }
    let after = try await trial.kill(victim)
    try await after.flow.shows("end")
    #expect(trial.attempts == ["1", "2", "3"])
    #expect(trial.world.noted.last == "failed")
    withExtendedLifetime((trial, after)) {}
  }

  @Test(
    "A step whose last attempt was cut short is not started again, whichever process is killed",
    arguments: Victim.allCases, ["--attempts 2", "--once"])
  func lastAttemptIsUnknown(_ victim: Victim, _ option: String) async throws {
    let trial = try await Trial(
      """
      ask menu go Go? yes=Yes
      ask step do \(option) -- sh -c 'echo "$COORDINATOR_ATTEMPT" >>"$1"; [ "$COORDINATOR_ATTEMPT" -lt \(option == "--once" ? 1 : 2) ] || exec sleep 1000; exit 1' \\
        sh "$notes"
      echo "status $?" >>"$notes"
      ask message end End
      """)
    let attempts = option == "--once" ? ["1"] : ["1", "2"]
    try await trial.flow.shows("go")
    try await trial.flow.send("yes")
    try await poll { trial.world.noted == attempts }
    let after = try await trial.kill(victim)
    try await after.flow.shows("end")
    #expect(trial.attempts == attempts)
    #expect(trial.world.noted.last == "status 1")
    withExtendedLifetime((trial, after)) {}
  }

  @Test("Each attempt gets the secret")
  func attemptsHaveTheirSecret() async throws {
    let trial = try await Trial(
      """
      ask form pin PIN --secret pin
      ask step do --attempts 3 --stdin pin -- sh -c 'echo "$COORDINATOR_ATTEMPT $(wc -c)" >>"$1"; [ "$COORDINATOR_ATTEMPT" -eq 3 ]' sh "$notes"
      ask message end End
      """)
    try await trial.flow.shows("pin")
    try await trial.flow.send("submit", ["pin": "canary"])
    try await trial.flow.shows("end")
    #expect(trial.world.noted == ["1 6", "2 6", "3 6"])
    withExtendedLifetime(trial) {}
  }

  @Test("A step that asks for its secret again after a kill does not get its attempts anew")
  func lostSecretCosts() async throws {
    let trial = try await Trial(
      """
      ask form pin PIN --secret pin
      ask step do --attempts 2 --stdin pin -- sh -c 'echo "$COORDINATOR_ATTEMPT $(wc -c)" >>"$1"; exec sleep 1000' sh "$notes"
      echo "status $?" >>"$notes"
      ask message end End
      """)
    try await trial.flow.shows("pin")
    try await trial.flow.send("submit", ["pin": "canary"])
    try await poll { trial.world.noted == ["1 6"] }
    let second = try await trial.kill(.engine)
    let form = try await second.flow.shows("pin")
    #expect(form?.messages.map(\.code) == ["secret-lost"])
    try await second.flow.send("submit", ["pin": "canaries"])
    try await poll { trial.world.noted == ["1 6", "2 8"] }
    let third = try await second.kill(.engine)
    try await third.flow.shows("end")
    #expect(trial.world.noted == ["1 6", "2 8", "status 1"])
    withExtendedLifetime((trial, second, third)) {}
  }

  @Test(
    "What a step or a look prints is no reason to do it again, and its log says that it was cut", arguments: ["step", "look"])
  func muchOutputIsCut(_ kind: String) async throws {
    let trial = try await Trial(
      """
      ask menu go Go? yes=Yes
      ask \(kind) charge --attempts 3 -- sh -c 'echo charged >>"$1"; seq 30000' sh "$notes" | tail -n 1 >>"$notes"
      ask message end End
      """)
    try await trial.flow.shows("go")
    try await trial.flow.send("yes")
    try await trial.flow.shows("end")
    #expect(trial.world.noted == ["charged", "12773"])
    let environment = RunningDaemon.environment(of: trial.world.bus)
    let log = try await Program.run(
      [Built.executable("coordinatorctl"), "script", "log"], environment: environment)
    #expect(log.output.contains("(12773 lines) (output cut)"), "\(log.output)")
    #expect(log.output.contains("the output of the \(kind) 'charge' has more than 64 KiB"), "\(log.output)")
    withExtendedLifetime(trial) {}
  }

  /// A script that is played, with the processes that play it.
  private struct Trial {
    let world: ScriptWorld
    let daemon: RunningDaemon
    let engine: Program
    let flow: Flow

    init(_ script: String) async throws {
      world = try ScriptWorld()
      try world.write("tried", script)
      daemon = try await world.daemon()
      let client = try await daemon.client()
      engine = try await world.engine(serving: "tried", for: client)
      flow = try await Flow.start("tried", client)
    }

    private init(_ world: ScriptWorld, _ daemon: RunningDaemon, _ engine: Program, _ flow: Flow) {
      (self.world, self.daemon, self.engine, self.flow) = (world, daemon, engine, flow)
    }

    /// The attempts that were begun. A shell whose `ask` is killed may reach its next line before it is ended.
    var attempts: [String] { world.noted.filter { Int($0) != nil } }

    /// Kills a process, and restarts it.
    ///
    /// - Returns: the flow as it continues.
    func kill(_ victim: Victim) async throws -> Trial {
      switch victim {
      case .script:
        _ = try await Program.run(["pkill", "-KILL", "-f", "\(world.scripts)/tried"])
        return self
      case .step:
        try await killStep()
        return self
      case .engine: return try await restartEngine(daemon)
      case .daemon:
        daemon.program.signal(SIGKILL)
        _ = await daemon.program.ended()
        // The work continues, and is reported then; it ends with its engine.
        return try await restartEngine(try await world.daemon())
      }
    }

    private func restartEngine(_ daemon: RunningDaemon) async throws -> Trial {
      let client = try await daemon.client()
      engine.signal(SIGKILL)
      _ = await engine.ended()
      let engine = try await world.engine(serving: "tried", for: client)
      return Trial(world, daemon, engine, try Flow(client, flow.path))
    }

    private func killStep() async throws {
      let processes = try await Program.run(["ps", "-eo", "pid,ppid,args"]).output.split(separator: "\n").map {
        $0.split(separator: " ", maxSplits: 2).map(String.init)
      }
      let scripts = Set(processes.filter { $0.last?.contains("\(world.scripts)/") == true }.compactMap(\.first))
      let steps = processes.filter { $0.count == 3 && $0[2].hasPrefix("ask step ") && scripts.contains($0[1]) }
      let process = try #require(steps.first?.first.flatMap { pid_t($0) }, "\(processes)")
      Glibc.kill(process, SIGKILL)
    }
  }
}
