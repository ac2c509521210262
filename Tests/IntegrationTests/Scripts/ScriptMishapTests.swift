import CoordinatorClient
import CoordinatorKit
import Glibc
import TestBus
import Testing

@Suite("Scripts to which something happens in the middle of a step", .timeLimit(.minutes(5)))
struct ScriptMishapTests {
  @Test("A step is not begun before a script that is slow has asked for it")
  func slowScriptDoesItsStep() async throws {
    let world = try ScriptWorld()
    try world.write(
      "slow",
      """
      ask menu go Go? yes=Yes
      if [ -e "$notes" ]; then sleep 1.5; fi
      ask step do -- sh -c 'echo "$COORDINATOR_ATTEMPT" >>"$1"; [ "$COORDINATOR_ATTEMPT" -gt 1 ] || exec sleep 1000' sh "$notes"
      ask message end End
      """)
    let (daemon, engine, flow) = try await start("slow", in: world)
    try await flow.shows("go")
    try await flow.send("yes")
    try await poll { world.noted == ["1"] }
    _ = try await Program.run(["pkill", "-KILL", "-f", "\(world.scripts)/slow"])
    try await flow.shows("end")
    #expect(world.noted == ["1", "2"])
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("Back in a step that can be undone undoes it, however the script would go on")
  func runningStepIsUndone() async throws {
    let world = try ScriptWorld()
    try world.write(
      "undone",
      """
      ask menu go Go? yes=Yes
      ask step do --undo sh -c 'echo undone >>\(world.notes)' -- sh -c 'echo begun >>"$1"; exec sleep 1000' sh "$notes"
      ask finish
      """)
    let (daemon, engine, flow) = try await start("undone", in: world)
    for round in 1...2 {
      try await flow.shows("go")
      try await flow.send("yes")
      try await poll { world.noted.count == 2 * round - 1 }
      try await flow.back()
    }
    try await flow.shows("go")
    #expect(world.noted == ["begun", "undone", "begun", "undone"])
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("Back over a step that can be undone undoes it, whatever was recorded since")
  func doneStepIsUndone() async throws {
    let world = try ScriptWorld()
    try world.write(
      "undone",
      """
      ask menu one One yes=Yes
      ask step do --undo sh -c 'echo undone >>\(world.notes)' -- sh -c 'echo done >>"$1"' sh "$notes"
      found=$(ask look find -- echo "something")
      ask menu two "$found" yes=Yes
      """)
    let (daemon, engine, flow) = try await start("undone", in: world)
    try await flow.shows("one")
    try await flow.send("yes")
    try await flow.shows("two")
    try await flow.back()
    let one = try await flow.shows("one")
    #expect(world.noted == ["done", "undone"])
    #expect(one?.actions.map(\.id) == ["yes"])
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("A step that was cut short, and cannot be undone, is done again")
  func cutShortStepIsDoneAgain() async throws {
    let world = try ScriptWorld()
    try world.write(
      "stuck",
      """
      ask menu go Go? yes=Yes
      ask step do --undo sh -c 'echo "no way" >&2; exit 1' -- \\
        sh -c 'echo "$COORDINATOR_ATTEMPT" >>"$1"; [ "$COORDINATOR_ATTEMPT" -gt 1 ] || exec sleep 1000' sh "$notes"
      ask message end End
      """)
    let (daemon, engine, flow) = try await start("stuck", in: world)
    try await flow.shows("go")
    try await flow.send("yes")
    try await poll { world.noted == ["1"] }
    try await flow.back()
    let end = try await flow.shows("end")
    #expect(world.noted == ["1", "2"])
    #expect(end?.messages.contains { $0.code == "undo-failed" } == true)
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("A second attempt begins when nothing of the first is left")
  func attemptsAreNotSideBySide() async throws {
    let world = try ScriptWorld()
    try world.write(
      "stubborn",
      """
      ask menu go Go? yes=Yes
      ask step do -- sh -c 'trap "" TERM
        if [ "$COORDINATOR_ATTEMPT" -gt 1 ]; then
          if [ -n "$(tr -d "\\0" <"/proc/$(cat "$1.pid")/cmdline" 2>/dev/null)" ]; then echo beside >>"$1"; else echo alone >>"$1"; fi
        else
          echo $$ >"$1.pid"; echo first >>"$1"; while sleep 0.1; do :; done
        fi' sh "$notes"
      ask message end End
      """)
    let (daemon, engine, flow) = try await start("stubborn", in: world)
    try await flow.shows("go")
    try await flow.send("yes")
    try await poll { world.noted == ["first"] }
    _ = try await Program.run(["pkill", "-KILL", "-f", "\(world.scripts)/stubborn"])
    try await flow.shows("end")
    #expect(world.noted == ["first", "alone"])
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("Killing the process that asks neither answers the question nor fails the step")
  func killedAskIsAskedAgain() async throws {
    let world = try ScriptWorld()
    try world.write(
      "asked",
      """
      size=$(ask menu size "How large?" small=Small large=Large)
      echo "size $size" >>"$notes"
      ask step do -- sh -c 'echo "$COORDINATOR_ATTEMPT" >>"$1"; [ -e "$1.killed" ] || exec sleep 1000' sh "$notes" || \\
        echo failed >>"$notes"
      ask message end End
      """)
    let (daemon, engine, flow) = try await start("asked", in: world)
    try await flow.shows("size")
    try await killAsk(in: world)
    try await flow.shows("size")
    try await flow.send("large")
    // The shell may reach its next line before it is ended, and start the step, which then counts as begun.
    try await poll { world.noted.last.flatMap(Int.init) != nil }
    _ = try await Program.run(["touch", "\(world.notes).killed"])
    try await killAsk(in: world)
    try await flow.shows("end")
    let attempts = world.noted.compactMap(Int.init)
    #expect(attempts.count == 2 && attempts[0] + 1 == attempts[1], "\(world.noted)")
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("A step that ends its script again and again is held, and retried once an administrator says so")
  func deadlyStepIsHeld() async throws {
    let world = try ScriptWorld()
    try world.write(
      "deadly",
      """
      ask menu go Go? yes=Yes
      ask step do -- sh -c 'echo "$COORDINATOR_ATTEMPT" >>"$1"
        [ -e "$1.mended" ] || { pkill -KILL -f "$2/deadly"; exec sleep 1000; }' sh "$notes" "\(world.scripts)"
      ask message end End
      """)
    let (daemon, engine, flow) = try await start("deadly", in: world)
    let client = try await daemon.client()
    try await flow.shows("go")
    try await flow.send("yes")
    try await poll { try await client.manager.listProviders().contains { $0.flows.contains("deadly") && $0.held > 0 } }
    #expect(world.noted == ["1", "2", "3"])
    _ = try await Program.run(["touch", "\(world.notes).mended"])
    // While the daemon itself retries, one more retry does not count.
    try await poll {
      _ = try await client.manager.retryHeld()
      return world.noted.count > 3
    }
    try await flow.shows("end")
    #expect(world.noted == ["1", "2", "3", "4"])
    withExtendedLifetime(engine) {}
  }

  @Test("A script that fails again and again long after its answer is held, and runs on when it is mended")
  func slowCrashIsHeld() async throws {
    let world = try ScriptWorld()
    try world.write(
      "slow",
      """
      ask menu go Go? yes=Yes
      sleep 1.5
      echo run >>"$notes"
      [ -e "$notes.mended" ] || { echo "no disk" >&2; exit 1; }
      ask message end End
      """)
    let (daemon, engine, flow) = try await start("slow", in: world)
    let client = try await daemon.client()
    try await flow.shows("go")
    try await flow.send("yes")
    try await poll { try await flow.coordinator.held()?.contains("failed 3 times") == true }
    let held = try #require(try await flow.coordinator.held())
    #expect(held.contains("slow: the script has failed 3 times before its next operation"), "\(held)")
    #expect(held.contains("no disk"))
    #expect(world.noted == ["run", "run", "run"])
    // Only the daemon knew that the flow was held, but the log still contains the reason.
    daemon.program.signal(SIGKILL)
    _ = await daemon.program.ended()
    let other = try await world.daemon()
    let again = try Flow(try await other.client(), flow.path)
    try await poll { try await again.coordinator.held()?.contains("failed 3 times") == true }
    #expect(world.noted == ["run", "run", "run"])
    _ = try await Program.run(["touch", "\(world.notes).mended"])
    try await poll {
      _ = try await again.daemon.manager.retryHeld()
      return world.noted.count > 3
    }
    try await again.shows("end")
    #expect(world.noted.count == 4)
    withExtendedLifetime((client, engine)) {}
  }

  @Test("A script that fails long after its answer, and then not any more, is not held")
  func slowCrashIsForgotten() async throws {
    let world = try ScriptWorld()
    try world.write(
      "slow",
      """
      ask menu go Go? yes=Yes
      sleep 1.2
      echo run >>"$notes"
      [ "$(wc -l <"$notes")" -gt 2 ] || exit 1
      ask message end End
      """)
    let (daemon, engine, flow) = try await start("slow", in: world)
    try await flow.shows("go")
    try await flow.send("yes")
    try await flow.shows("end")
    #expect(world.noted.count == 3)
    withExtendedLifetime((daemon, engine)) {}
  }

  @Test("A slow script that does not fit its log is held, and says why")
  func slowMisfitIsHeld() async throws {
    let world = try ScriptWorld()
    try world.write("slow", "ask menu go Go? yes=Yes\nask step do -- true\nask menu two Two? a=A\nask menu three Three? a=A")
    let (daemon, engine, flow) = try await start("slow", in: world)
    try await flow.shows("go")
    try await flow.send("yes")
    try await flow.shows("two")
    try world.write("slow", "sleep 1.5\nask menu other Other? yes=Yes\nask menu two Two? a=A\nask menu three Three? a=A")
    try await poll { (try? await flow.send("a")) != nil }
    try await poll { try await flow.coordinator.held()?.contains("slow does not fit") == true }
    withExtendedLifetime((daemon, engine)) {}
  }

  private func start(_ name: String, in world: ScriptWorld) async throws -> (RunningDaemon, Program, Flow) {
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: name, for: client)
    return (daemon, engine, try await Flow.start(name, client))
  }

  /// Kills the process of the current operation.
  private func killAsk(in world: ScriptWorld) async throws {
    let processes = try await Program.run(["ps", "-eo", "pid,ppid,args"]).output.split(separator: "\n").map {
      $0.split(separator: " ", maxSplits: 2).map(String.init)
    }
    let scripts = Set(processes.filter { $0.last?.contains("\(world.scripts)/") == true }.compactMap(\.first))
    let asks = processes.filter { $0.count == 3 && $0[2].hasPrefix("ask ") && scripts.contains($0[1]) }
    let process = try #require(asks.first?.first.flatMap { pid_t($0) }, "\(processes)")
    kill(process, SIGKILL)
  }
}
