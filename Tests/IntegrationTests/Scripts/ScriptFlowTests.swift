import CoordinatorClient
import CoordinatorKit
import Glibc
import TestBus
import Testing

@Suite("Flows that are scripts of the shell", .timeLimit(.minutes(5)))
struct ScriptFlowTests {
  private static let coffee = """
    size=$(ask menu size "How large?" small=Small large=Large)
    if ask confirm milk "With milk?"; then milk=yes; else milk=no; fi
    ask step brew --busy Brewing -- sh -c 'echo "$COORDINATOR_KEY $COORDINATOR_ATTEMPT" >>"$1"' sh "$notes"
    ask message done "Here it is" "$size, milk: $milk"
    ask finish size="$size" milk="$milk"
    """

  @Test(
    "A script asks, goes back, does a step once, and finishes, whether its process is kept or not",
    arguments: ["patiently", "always"])
  func scriptIsPlayed(_ eviction: String) async throws {
    let world = try ScriptWorld("--evict", eviction)
    try world.write("coffee", Self.coffee)
    let played = try await world.play("coffee")
    let flow = played.flow
    try await flow.shows("size")
    try await flow.send("large")
    try await flow.shows("milk")
    try await flow.back()
    try await flow.shows("size")
    try await flow.send("small")
    try await flow.shows("milk")
    try await flow.send("no")
    let done = try await flow.shows("done")
    #expect(done?.body == "small, milk: no")
    #expect(try await flow.router.window().screens.map(\.back) == [false], "what was done cannot be taken back")
    try await flow.send("okay")
    try await flow.shows(nil)
    #expect(try await played.client.manager.outcome(of: flow.path) == .finished(["size": "small", "milk": "no"]))
    #expect(world.noted.count == 1 && world.noted.first?.hasSuffix("/brew 1") == true, "\(world.noted)")
    played.engine.signal(SIGTERM)
    #expect(await played.engine.ended().status == .exited(0), "\(played.engine.errors)")
  }

  @Test("Back stops a script wherever it is, also where the shell does not look at exit statuses")
  func nothingRunsOn() async throws {
    let world = try ScriptWorld()
    try world.write(
      "careless",
      """
      set +e
      first() { local x=$(ask menu one One a=A b=B); echo "one $x" >>"$notes"; }
      trap 'echo trapped >>"$notes"' EXIT
      first
      second() { local x=$(ask menu two Two a=A b=B); echo "two $x" >>"$notes"; }
      second | cat
      echo "end" >>"$notes"
      """)
    let played = try await world.play("careless")
    let flow = played.flow
    try await flow.shows("one")
    try await flow.send("a")
    try await flow.shows("two")
    try await flow.back()
    try await flow.shows("one")
    try await flow.send("b")
    try await flow.shows("two")
    _ = try await flow.coordinator.dismiss()
    try await poll { try await !Self.isRunning(world.scripts) }
    #expect(world.noted == ["one a", "one b"])
    withExtendedLifetime(played) {}
  }

  @Test("A script that no longer fits its log is held, and continues when it fits again")
  func changedScriptIsHeld() async throws {
    let world = try ScriptWorld()
    try world.write("coffee", Self.coffee)
    let played = try await world.play("coffee")
    let flow = played.flow
    try await flow.shows("size")
    try await flow.send("large")
    try await flow.shows("milk")
    try await flow.send("yes")
    try await flow.shows("done")
    try world.write("coffee", #"ask menu cup "Which cup?" blue=Blue red=Red"# + "\n" + Self.coffee)
    let error = try await refusal { try await flow.send("okay") }
    let text = "\(error)"
    for part in [#"recorded 1. ask "size""#, #"now 1. ask "cup""#, #"step "brew""#] { #expect(text.contains(part), "\(text)") }
    #expect(try await flow.router.window().screens.last?.screen.name == "done")
    try world.write("coffee", Self.coffee + "\n# as it was")
    try await poll {
      do throws(ClientError) {
        _ = try await played.client.coordinator(flow.path).delegate(
          screen: try await flow.router.window().screens.last?.id ?? 0, event: "okay")
        return true
      } catch {
        return error.isUnknownObject
      }
    }
    try await flow.shows(nil)
    #expect(world.noted.count == 1)
    withExtendedLifetime(played) {}
  }

  @Test("A script with a mistake changes nothing, and its author reads what it wrote last")
  func mistakeIsTold() async throws {
    let world = try ScriptWorld()
    try world.write("broken", #"ask menu size "How large?" small=Small; echo "no such cup" >&2; exit 3"#)
    let played = try await world.play("broken")
    let flow = played.flow
    try await flow.shows("size")
    let error = try await refusal { try await flow.send("small") }
    #expect("\(error)".contains("status 3: no such cup"), "\(error)")
    #expect(try await flow.router.window().screens.last?.screen.name == "size")
    withExtendedLifetime(played) {}
  }

  private func refusal(_ body: () async throws -> Void) async throws -> ClientError {
    try await #require(throws: ClientError.self) { try await body() }
  }

  private static func isRunning(_ directory: String) async throws -> Bool {
    let processes = try await Program.run(["ps", "-eo", "args"]).output
    return processes.split(separator: "\n").contains { $0.contains("\(directory)/") }
  }
}
