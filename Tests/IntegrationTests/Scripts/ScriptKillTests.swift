import CoordinatorClient
import Glibc
import TestBus
import Testing

@Suite("Scripts whose processes are killed", .timeLimit(.minutes(5)))
struct ScriptKillTests {
  enum Victim: String, CaseIterable {
    case daemon, engine, script
  }

  private static let steps = """
    for number in 1 2 3; do
      ask menu go$number "Step $number?" yes=Yes
      ask step do$number -- sh -c 'echo "$COORDINATOR_KEY $COORDINATOR_ATTEMPT" >>"$1"' sh "$notes"
    done
    ask message end End
    """

  @Test(
    "A script performs its three steps, none twice unless the attempt says so, whichever process is killed at a question",
    arguments: Victim.allCases)
  func stepsAreNeitherLostNorRepeated(_ victim: Victim) async throws {
    let world = try ScriptWorld()
    try world.write("steps", Self.steps)
    var daemon = try await world.daemon()
    var client = try await daemon.client()
    var engine = try await world.engine(serving: "steps", for: client)
    var flow = try await Flow.start("steps", client)
    for question in ["go1", "go2", "go3", "end"] {
      try await flow.shows(question)
      switch victim {
      case .script: _ = try await Program.run(["pkill", "-KILL", "-f", "\(world.scripts)/steps"])
      case .engine:
        engine.signal(SIGKILL)
        _ = await engine.ended()
        engine = try await world.engine(serving: "steps", for: client)
      case .daemon:
        daemon.program.signal(SIGKILL)
        _ = await daemon.program.ended()
        daemon = try await world.daemon()
        client = try await daemon.client()
        flow = try Flow(client, flow.path)
        try await poll {
          try await client.manager.listProviders().contains { $0.flows.contains("steps") && $0.state == "running" }
        }
      }
      if question != "end" { try await flow.send("yes") }
    }
    try await flow.shows("end")
    try await flow.send("okay")
    try await flow.shows(nil)
    #expect(world.noted.map { String($0.split(separator: "/").last ?? "") } == ["do1 1", "do2 1", "do3 1"])
    withExtendedLifetime(engine) {}
  }

  @Test("Nothing of a script runs on when the program is ended that executes it")
  func scriptEndsWithItsEngine() async throws {
    let world = try ScriptWorld()
    try world.write("busy", "ask menu go Go? yes=Yes\necho $$ >>\"$notes\"\nwhile :; do sleep 0.01; done")
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "busy", for: client)
    let flows = try await [Flow.start("busy", client), Flow.start("busy", client), Flow.start("busy", client)]
    for flow in flows {
      try await flow.shows("go")
      try await flow.send("yes")
    }
    try await poll { world.noted.count == flows.count }
    engine.signal(SIGTERM)
    _ = await engine.ended()
    for process in world.noted.compactMap(pid_t.init) { try await poll { kill(process, 0) != 0 } }
  }

  @Test("A step whose script is killed in its middle is done again, and says that it is the second attempt")
  func interruptedStepIsRepeated() async throws {
    let world = try ScriptWorld()
    try world.write(
      "slow",
      """
      ask menu go Go? yes=Yes
      ask step do -- sh -c 'echo "$COORDINATOR_ATTEMPT" >>"$1"; [ "$COORDINATOR_ATTEMPT" -gt 1 ] || exec sleep 1000' sh "$notes"
      ask message end End
      """)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    var engine = try await world.engine(serving: "slow", for: client)
    let flow = try await Flow.start("slow", client)
    try await flow.shows("go")
    try await flow.send("yes")
    try await poll { world.noted == ["1"] }
    engine.signal(SIGKILL)
    _ = await engine.ended()
    engine = try await world.engine(serving: "slow", for: client)
    try await flow.shows("end")
    #expect(world.noted == ["1", "2"])
    withExtendedLifetime(engine) {}
  }
}
