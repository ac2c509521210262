import CoordinatorClient
import CoordinatorKit
import Foundation
import TestBus
import Testing

@Suite("Scripts that no user answers, or a file answers", .timeLimit(.minutes(5)))
struct ScriptAnswerTests {
  @Test("A question is answered by its time limit, and a sleep ends, though the script has no process")
  func limitEndsWithoutProcess() async throws {
    let world = try ScriptWorld("--evict", "always")
    try world.write(
      "sleeper",
      """
      size=$(ask menu size "How large?" small=Small large=Large --timeout 1 --default large)
      ask sleep pause 1
      ask menu color "Which color?" red=Red --timeout 1 >/dev/null
      echo "$size $?" >>"$notes"
      ask finish size="$size"
      """)
    let played = try await world.play("sleeper")
    let flow = played.flow
    try await poll { try await played.client.manager.outcome(of: flow.path) == .finished(["size": "large"]) }
    #expect(world.noted == ["large 124"])
    withExtendedLifetime(played) {}
  }

  @Test("Answers that were recorded from a script play it again, also those to a question that is asked several times")
  func recordedAnswersPlayAgain() async throws {
    let world = try ScriptWorld()
    try world.write(
      "cups",
      """
      cups=
      while cup=$(ask menu cup "Which cup?" small=Small large=Large none="No more") && [ "$cup" != none ]; do cups="$cups $cup"; done
      name=$(ask form name "For whom?" --text name)
      ask step order -- sh -c 'echo "$2" >>"$1"' sh "$notes" "$name:$cups"
      ask confirm thanks "Thank you?"
      ask finish cups="$cups" name="$name"
      """)
    let daemon = try await world.daemon()
    let client = try await daemon.client()
    let engine = try await world.engine(serving: "cups", for: client)
    let environment = RunningDaemon.environment(of: world.bus)
    let control = try Built.executable("coordinatorctl")
    let file = "\(world.bus.directory)/answers.yaml"
    let recorded = try await Program.run(
      [control, "record", "cups", "-o", file], environment: environment, input: "2\n1\nb\n2\n3\nAda\n1\n")
    #expect(recorded.status == .exited(0), "\(recorded)")
    let played = try await Program.run([control, "answer", file, "--strict"], environment: environment)
    #expect(played.status == .exited(0), "\(played) \((try? String(contentsOfFile: file, encoding: .utf8)) ?? "")")
    #expect(played.output.contains("large large") && played.output.contains("name: Ada"), "\(played)")
    #expect(world.noted == ["Ada: large large", "Ada: large large"])
    withExtendedLifetime(engine) {}
  }
}
