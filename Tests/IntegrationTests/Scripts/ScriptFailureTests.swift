import CoordinatorClient
import CoordinatorKit
import Foundation
import Glibc
import RendererKit
import TestBus
import Testing

@Suite("Failures of scripts", .timeLimit(.minutes(5)))
struct ScriptFailureTests {
  private static let sentence = "This step cannot continue at the moment. What was entered so far is kept."

  @Test("An exception is logged with its traceback, and shown to the user in a sentence without names")
  func exceptionIsFound() async throws {
    let world = try ScriptWorld()
    try world.writePython(
      "broken.py",
      """
      @flow("broken", title="Broken")
      async def broken(ui):
          await ui.menu("go", "Go?", yes="Yes")
          # Another text each time.
          raise ValueError(f"the shelf is empty at {time.monotonic_ns()}")

      serve(broken)
      """)
    let played = try await world.play("broken")
    let flow = played.flow
    try await flow.shows("go")
    for _ in 0..<2 {
      let error = await #expect(throws: ClientError.self) { try await flow.send("yes") }
      #expect(error?.sentence == Self.sentence)
      #expect(error?.lines.joined().contains("ValueError: the shelf is empty") == true)
      #expect(error?.lines.joined().contains("org.coordinatord.Coordinator1.Error") == false)
    }
    try await poll { played.engine.errors.contains("broken_1: ValueError: the shelf is empty") }
    try await poll { played.engine.errors.contains("Traceback (most recent call last):") }
    #expect(played.engine.errors.ranges(of: "broken.py: ValueError").count == 1, "\(played.engine.errors)")
    try await poll { played.daemon.program.errors.contains("a provider has failed") }
    try await poll { played.daemon.program.errors.contains("the shelf is empty") }
    #expect(played.daemon.program.errors.ranges(of: "a provider has failed").count == 1, "\(played.daemon.program.errors)")
    let log = try await Program.run(
      [try Built.executable("coordinatorctl"), "script", "log"], environment: RunningDaemon.environment(of: world.bus))
    #expect(log.output.contains("Traceback (most recent call last):"), "\(log.output)")
    #expect(log.output.contains("the shelf is empty"), "\(log.output)")
  }

  @Test("The reason for a child's failure is logged, even if its parent continues")
  func failureOfChildIsFound() async throws {
    let world = try ScriptWorld()
    try world.write("outer", "ask run inner || true; ask menu two Two? yes=Yes")
    try world.write("inner", "ask menu go Go? yes=Yes; ask fail no-disk 'There is no disk.'")
    let played = try await world.play("outer")
    let flow = played.flow
    try await flow.shows("go")
    // The client that has answered receives the failure as well.
    await #expect(throws: ClientError.self) { try await flow.send("yes") }
    try await flow.shows("two")
    try await poll { played.daemon.program.errors.contains("child failed") }
    let line = played.daemon.program.errors.split(separator: "\n").first { $0.contains("child failed") }
    #expect(line?.contains("warning") == true && line?.contains("code=no-disk") == true, "\(line ?? "")")
    #expect(line?.contains("There is no disk.") == true && line?.contains("child=inner") == true, "\(line ?? "")")
    withExtendedLifetime(played) {}
  }

  @Test("A held script, and the reason why a step could not be undone, are logged, and shown to the user in a sentence")
  func holdAndUndoAreFound() async throws {
    let world = try ScriptWorld()
    try world.write(
      "stuck",
      """
      ask menu go Go? yes=Yes
      ask step do --undo sh -c 'echo "no way" >&2; exit 7' -- true
      ask menu two Two? yes=Yes
      ask step die -- sh -c 'pkill -KILL -f "$1/stuck"; exec sleep 1000' sh "\(world.scripts)"
      """)
    let played = try await world.play("stuck")
    let flow = played.flow
    try await flow.shows("go")
    try await flow.send("yes")
    try await flow.shows("two")
    try await flow.back()
    try await poll { try await flow.shows("two")?.messages.contains { $0.code == "undo-failed" } == true }
    let message = try #require(try await flow.shows("two")?.messages.first { $0.code == "undo-failed" })
    #expect(message.text == "This could not be undone.")
    try await poll { played.engine.errors.contains("step \"do\" could not be undone: undo: the script has exited with status 7") }
    try await poll { played.engine.errors.contains("no way") }
    try await flow.send("yes")
    try await poll { try await flow.coordinator.held()?.contains("has ended 3 times") == true }
    try await poll { played.engine.errors.contains("in step \"die\"") }
    try await poll { played.engine.errors.contains("the script's process has ended 3 times") }
    try await poll { played.daemon.program.errors.contains("a coordinator is held") }
  }
}
