import CoordinatorBus
import CoordinatorClient
import Glibc
import TestBus
import Testing

@Suite("What scripts leave behind", .timeLimit(.minutes(5)))
struct ScriptDescendantTests {
  /// A command that hides a process from searches by its environment, its session and its parent.
  private static let hidden = "( env -i setsid sh -c 'echo $$ >>\"$1\"; exec sleep 100000' sh \"$notes\" >/dev/null 2>&1 & )"

  enum Ending: String, CaseIterable {
    case dismissed, forced, finished, engine
  }

  @Test("A process that hides its environment, its session and its parent ends with its run", arguments: Ending.allCases)
  func hiddenProcessEnds(_ ending: Ending) async throws {
    let world = try ScriptWorld()
    try world.write("hiding", "\(Self.hidden)\nask menu go Go? yes=Yes\nask finish")
    let played = try await world.play("hiding")
    let flow = played.flow
    try await flow.shows("go")
    let process = try await Self.hidden(by: world)
    switch ending {
    case .dismissed: _ = try await flow.coordinator.dismiss()
    case .forced: _ = try await flow.coordinator.dismiss(options: Options(force: true))
    case .finished: try await flow.send("yes")
    case .engine: played.engine.signal(SIGTERM)
    }
    try await poll { kill(process, 0) != 0 }
    withExtendedLifetime(played) {}
  }

  @Test("What a Python script starts ends with its process, also if it hides")
  func hiddenProcessOfAHostEnds() async throws {
    let world = try ScriptWorld()
    try world.writePython(
      "hiding.py",
      """
      def hide():
          subprocess.run(["sh", "-c", "notes=$1; " + \"\"\"\(Self.hidden)\"\"\", "sh", str(NOTES)])

      @flow("hiding", title="Hiding")
      async def hiding(ui):
          await ui.step("hide", hide)
          await ui.menu("go", "Go?", yes="Yes")

      serve(hiding)
      """)
    let played = try await world.play("hiding")
    let flow = played.flow
    try await flow.shows("go")
    let process = try await Self.hidden(by: world)
    played.engine.signal(SIGTERM)
    try await poll { kill(process, 0) != 0 }
    withExtendedLifetime(played) {}
  }

  /// Returns the hidden process, which still runs.
  private static func hidden(by world: ScriptWorld) async throws -> pid_t {
    try await poll { world.noted.compactMap(pid_t.init).count == 1 }
    let process = try #require(world.noted.compactMap(pid_t.init).first)
    #expect(kill(process, 0) == 0)
    return process
  }

  /// A process that ignores SIGTERM.
  private static let stubborn = "sh -c 'trap \"\" TERM; echo $$ >>\"$1\"; while :; do sleep 1; done' sh \"$notes\""

  @Test("A process that does not end on request is killed before its program ends, even if an earlier one started it")
  func stubbornProcessEndsWithTheEngine() async throws {
    let world = try ScriptWorld()
    try world.write("stubborn", "ask step never -- \(Self.stubborn)")
    let played = try await world.play("stubborn")
    let first = try await Self.hidden(by: world)
    played.engine.signal(SIGTERM)
    #expect(await played.engine.ended().status == .exited(0))
    try await poll { kill(first, 0) != 0 }
    // The step is executed again, and left behind by a killed program.
    let killed = try await world.engine(serving: "stubborn", for: played.client)
    try await poll { world.noted.count == 2 }
    let second = try #require(world.noted.last.flatMap(pid_t.init))
    killed.signal(SIGKILL)
    _ = await killed.ended()
    #expect(kill(second, 0) == 0)
    let next = try await world.engine(serving: "stubborn", for: played.client)
    next.signal(SIGTERM)
    #expect(await next.ended().status == .exited(0))
    try await poll { kill(second, 0) != 0 }
  }

  @Test("Processes of a file that is asked for its description end, even if they hide and ignore the request")
  func hiddenProcessOfADescriptionEnds() async throws {
    let world = try ScriptWorld()
    try world.write("good", "ask menu go Go? yes=Yes")
    try world.writeFile(
      "hiding",
      """
      #!/bin/sh
      notes=\(world.notes)
      ( env -i setsid \(Self.stubborn) >/dev/null 2>&1 & )
      until [ -e "$notes" ]; do sleep 0.01; done
      echo '[{"name": "hiding"}]'
      """)
    let played = try await world.play("good")
    try await poll { try await played.client.manager.listFlows().contains { $0.name == "hiding" } }
    try await poll { world.noted.allSatisfy { pid_t($0).map { kill($0, 0) != 0 } ?? true } }
    withExtendedLifetime(played) {}
  }

  /// A command that takes a while to clean up after SIGTERM, and needs another program for that.
  private static let cleaning =
    "trap \"sleep 0.7 && echo cleaned >>$notes; exit 1\" TERM; sleep 100000 & echo ready >>$notes; while :; do sleep 1; done"

  @Test(
    "A process that is asked to end has time to clean up, and so have the processes that it starts for that",
    arguments: ["step", "hidden"], [Ending.dismissed, .engine])
  func cleaningUpIsNotInterrupted(_ place: String, _ ending: Ending) async throws {
    let world = try ScriptWorld()
    let command = "env notes=\"$notes\" sh -c '\(Self.cleaning)'"
    try world.write(
      "cleaning",
      place == "step" ? "ask step clean -- \(command)" : "setsid \(command) >/dev/null 2>&1 &\nask menu go Go? yes=Yes")
    let played = try await world.play("cleaning")
    let flow = played.flow
    if place == "hidden" { try await flow.shows("go") }
    try await poll { world.noted == ["ready"] }
    if ending == .engine { played.engine.signal(SIGTERM) } else { _ = try await flow.coordinator.dismiss() }
    try await poll { world.noted == ["ready", "cleaned"] }
    withExtendedLifetime(played) {}
  }

  @Test("What a process starts to clean up is not asked to end when its engine is")
  func cleaningUpGoesOnWhenTheEngineEnds() async throws {
    let world = try ScriptWorld()
    let cleaning = "trap \"sleep 1 & echo cleaning >>$notes; wait \\$! && echo cleaned >>$notes; exit\" TERM"
    let command = "env notes=\"$notes\" sh -c '\(cleaning); sleep 100000 & echo ready >>$notes; while :; do sleep 1; done'"
    try world.write("cleaning", "setsid \(command) >/dev/null 2>&1 &\nask menu go Go? yes=Yes")
    let played = try await world.play("cleaning")
    try await played.flow.shows("go")
    try await poll { world.noted == ["ready"] }
    _ = try await played.flow.coordinator.dismiss()
    try await poll { world.noted.contains("cleaning") }
    played.engine.signal(SIGTERM)
    _ = await played.engine.ended()
    #expect(world.noted == ["ready", "cleaning", "cleaned"])
  }
}
