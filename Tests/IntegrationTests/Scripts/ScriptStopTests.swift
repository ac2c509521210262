import CoordinatorClient
import CoordinatorKit
import Foundation
import RendererKit
import TestBus
import Testing

@Suite("What users see and do while a script works, and before it goes on", .timeLimit(.minutes(5)))
struct ScriptStopTests {
  private static let erase = """
    ask menu go "Erase it?" yes=Yes
    ask step erase --busy "Erasing the disk" --progress --stoppable --attempts 3 -- \\
      sh -c 'echo begun >>"$1"; echo "40% block 3"; trap "echo trapped >>\\"$1\\"; exit 7" TERM; while :; do sleep 0.1; done' sh "$notes"
    echo "status $?" >>"$notes"
    ask message end End
    """

  @Test("Work has a screen with its text, its progress and Stop, which ends the command by SIGTERM and nothing else")
  func stepIsStopped() async throws {
    let world = try ScriptWorld()
    try world.write("erase", Self.erase)
    let played = try await world.play("erase")
    let flow = played.flow
    try await flow.shows("go")
    try await flow.send("yes")
    var shown: Screen?
    try await poll {
      shown = try await flow.router.window().screens.last?.screen
      return shown?.progress?.fraction == 0.4 && world.noted == ["begun"]
    }
    #expect(shown?.name == "working" && shown?.title == "Erasing the disk" && shown?.kind == .progress)
    #expect(shown?.progress?.text == "block 3")
    #expect(shown?.actions.map(\.title) == ["Stop"])
    #expect(try await flow.router.window().screens.last?.back == false)
    try await flow.send("stop")
    try await flow.shows("end")
    #expect(world.noted == ["begun", "trapped", "status 7"], "a stopped step is not tried again")
    withExtendedLifetime(played) {}
  }

  @Test("A stopped step whose engine dies is not begun again: its status is that of a command that SIGTERM has ended")
  func engineDies() async throws {
    let world = try ScriptWorld()
    try world.write(
      "erase",
      """
      ask menu go "Erase it?" yes=Yes
      ask step erase --stoppable -- sh -c 'trap "" TERM; echo begun >>"$1"; while :; do sleep 0.1; done' sh "$notes"
      echo "status $?" >>"$notes"
      ask message end End
      """)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "erase", for: client)
    let flow = try await Flow.start("erase", client)
    try await flow.shows("go")
    try await flow.send("yes")
    try await poll { world.noted == ["begun"] }
    try await flow.send("stop")
    try await poll { try await flow.router.window().screens.last?.screen.progress?.text == "Stopping…" }
    engine.signal(SIGKILL)
    _ = await engine.ended()
    let second = try await world.engine(serving: "erase", for: client)
    try await flow.shows("end")
    #expect(world.noted == ["begun", "status 143"])
    withExtendedLifetime((daemon, second)) {}
  }

  @Test("A step in Python is stopped at its next await, or when it reports progress")
  func pythonIsStopped() async throws {
    let world = try ScriptWorld()
    try world.writePython(
      "slow",
      """
      import asyncio, time
      async def wait():
          await asyncio.sleep(1000)
      def report(ui):
          while True:
              ui.progress(0.5, "half")
              time.sleep(0.01)
      @flow("slow", title="Slow")
      async def slow(ui):
          for name, work in (("wait", wait), ("report", lambda: report(ui))):
              try:
                  await ui.step(name, work, busy=f"Doing {name}", stoppable=True, attempts=2)
              except ui.Stopped as stopped:
                  await ui.message(f"{name}-stopped", "Stopped", stopped.type)
          return {}
      serve(slow)
      """)
    let played = try await world.play("slow")
    for name in ["wait", "report"] {
      try await poll { try await played.flow.router.window().screens.last?.screen.title == "Doing \(name)" }
      try await played.flow.send("stop")
      #expect(try await played.flow.shows("\(name)-stopped")?.body == "stopped")
      try await played.flow.send("okay")
    }
    try await played.flow.shows(nil)
    withExtendedLifetime(played) {}
  }

  @Test("A review shows what the user has read, and a change leads back to its question", arguments: ["patiently", "always"])
  func answerIsChanged(_ eviction: String) async throws {
    let world = try ScriptWorld("--evict", eviction)
    try world.write(
      "order",
      """
      size=$(ask menu size "How large?" small=Small large=Large)
      name=$(ask form who "Who are you?" --text name=Name)
      extras=$(ask list extras "Anything else?" sugar=Sugar ice=Ice --multiple | tr '\\n' ' ')
      ask review check "Is this right?" --primary apply=Apply
      echo "$size $name $extras" >>"$notes"
      """)
    let played = try await world.play("order")
    let flow = played.flow
    try await flow.shows("size")
    try await flow.send("large")
    try await flow.shows("who")
    try await flow.send("submit", ["name": "Ada"])
    try await flow.shows("extras")
    try await flow.send("select", ["ids": ["sugar", "ice"]])
    let review = try await flow.shows("check")?.review ?? []
    #expect(review.map(\.title) == ["How large?", "Name", "Anything else?"])
    #expect(review.map(\.value) == ["Large", "Ada", "Sugar\nIce"])
    // Back after a change is Back from the question that is changed.
    let who = try #require(review[1].screen)
    try await flow.send("change", ["id": .integer(Int64(who.number))])
    try await flow.shows("who")
    try await flow.back()
    #expect(try await flow.shows("size")?.suggested == ["large"])
    try await flow.send("large")
    #expect(try await flow.shows("who")?.values == ["name": "Ada"])
    try await flow.send("submit", ["name": "Eve"])
    #expect(try await flow.shows("extras")?.suggested == ["sugar", "ice"])
    try await flow.send("select", ["ids": ["ice"]])
    let size = try #require(try await flow.shows("check")?.review.first?.screen)
    try await flow.send("change", ["id": .integer(Int64(size.number))])
    // The cursor begins at the answer that is changed.
    #expect(try await flow.shows("size")?.suggested == ["large"])
    try await flow.send("small")
    try await flow.shows("who")
    try await flow.send("submit", ["name": "Eve"])
    try await flow.shows("extras")
    try await flow.send("select", ["ids": []])
    #expect(try await flow.shows("check")?.review.map(\.value) == ["Small", "Eve", "–"])
    try await flow.send("apply")
    try await flow.shows(nil)
    #expect(world.noted == ["small Eve "])
    withExtendedLifetime(played) {}
  }

  @Test("The secret result of a step reaches the next one by any descriptor, and is neither in the log nor on the disk")
  func resultIsSecret() async throws {
    let world = try ScriptWorld()
    try world.write(
      "enrol",
      """
      ask form login "Log in" --secret password
      ask step token --secret-result --stdin password -- sh -c 'echo "token-of-$(cat)"; echo'
      ask message made Made
      ask step use --fd 3=token --fd 5=token --stdin token -- sh -c 'cat <&3; echo; cat <&5; echo; cat; echo' | cat >>"$notes"
      ask message end End
      """)
    let played = try await world.play("enrol")
    let flow = played.flow
    try await flow.shows("login")
    try await flow.send("submit", ["password": "sesame"])
    try await flow.shows("made")
    let environment = RunningDaemon.environment(of: world.bus)
    let log = try await Program.run([Built.executable("coordinatorctl"), "script", "log"], environment: environment)
    #expect(!log.output.contains("sesame") && log.output.contains("step token"), "\(log.output)")
    try await flow.send("okay")
    try await flow.shows("end")
    // The secret is hidden in what the step has printed.
    #expect(world.noted == ["(secret)", "(secret)", "(secret)"])
    withExtendedLifetime(played) {}
  }

  @Test("The end of a flow is told in titles, which the header declares")
  func resultHasTitles() async throws {
    let world = try ScriptWorld()
    try world.writeFile(
      "titled",
      "#!/bin/sh\n# coordinator: title=Titled; result=ip:IP address, host: Host name \nask finish ip=10.0.0.1 host=box\n")
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "titled", for: client)
    let flow = try #require(await client.manager.listFlows().first { $0.name == "titled" })
    #expect(
      EndSummary(.finished(["ip": "10.0.0.1", "host": "box"]), of: flow).lines.dropFirst() == [
        "  Host name: box", "  IP address: 10.0.0.1",
      ])
    withExtendedLifetime((daemon, engine)) {}
  }
}
