import CoordinatorClient
import CoordinatorKit
import Foundation
import TestBus
import Testing

@Suite("Authors and administrators of scripts", .timeLimit(.minutes(5)))
struct ScriptAdministrationTests {
  private static let login = """
    user=$(ask form account "Log in" --text user --secret password)
    ask step log-in --stdin password -- sh -c 'cat >/dev/null; echo connecting >&2; echo done >>"$1"' sh "$notes"
    ask message welcome Welcome
    ask message done Done
    """

  @Test("The log shows what is recorded and what a script has written last, and no secret")
  func logIsShown() async throws {
    let world = try ScriptWorld()
    try world.write("login", Self.login)
    let played = try await world.play("login")
    let flow = played.flow
    try await flow.shows("account")
    _ = try await flow.coordinator.delegate(
      screen: try #require(try await flow.router.window().screens.last?.id), event: "submit",
      payload: ["user": "ada", "password": "open-sesame"])
    try await flow.shows("welcome")
    let log = try await Self.control(world, "script", "log")
    #expect(log.status == .exited(0), "\(log.errors)")
    for part in [
      "ask account", #""user":"ada""#, "•••", "step log-in", "done", "ask welcome", "is asked", "output:\n  connecting\n",
    ] {
      #expect(log.output.contains(part), "\(part): \(log.output)")
    }
    #expect(!log.output.contains("open-sesame"))
    let json = try #require(JSONValue(json: try await Self.control(world, "script", "log", "--json").output))
    #expect(json["entries"]?.array?.count == 3)
    #expect(json["entries"]?.array?.first?["time"]?.integer != nil)
    #expect(json["output"] == ["connecting"])
    let ofDaemon = try await Flow.start("schedule-visit", played.client)
    let other = try await Self.control(world, "script", "log", ofDaemon.name)
    #expect(other.status == .exited(1) && other.errors.contains("built in"), "\(other.errors)")
    withExtendedLifetime(played) {}
  }

  @Test("An administrator drops the last answer also where something was done since")
  func lastAnswerIsDropped() async throws {
    let world = try ScriptWorld()
    try world.write("login", Self.login)
    let played = try await world.play("login")
    let flow = played.flow
    try await flow.shows("account")
    let nothing = try await Self.control(world, "script", "drop-last")
    #expect(nothing.status == .exited(1) && nothing.errors.contains("nothing was answered"), "\(nothing.errors)")
    _ = try await flow.coordinator.delegate(
      screen: try #require(try await flow.router.window().screens.last?.id), event: "submit",
      payload: ["user": "ada", "password": "open-sesame"])
    try await flow.shows("welcome")
    let dropped = try await Self.control(world, "script", "drop-last")
    #expect(
      dropped.output == "dropped: ask account, step log-in\nnot undone, and may be done again: step log-in\n", "\(dropped.errors)"
    )
    let account = try await flow.shows("account")
    #expect(account?.values == ["user": "ada"], "the answer is suggested")
    withExtendedLifetime(played) {}
  }

  @Test("An administrator drops the last answer of a flow that is held because its script has changed")
  func lastAnswerOfHeldFlowIsDropped() async throws {
    let world = try ScriptWorld()
    let rest = """
      ask step do -- true
      ask step wait -- sh -c 'echo begun >>"$1"; until [ -e "$1.go" ]; do sleep 0.05; done' sh "$notes"
      ask menu two Two a=A
      """
    try world.write("changed", "ask menu one One a=A\n\(rest)")
    let played = try await world.play("changed")
    let flow = played.flow
    try await flow.shows("one")
    try await flow.send("a")
    try await poll { world.noted == ["begun"] }
    try world.write("changed", "ask menu other Other a=A\n\(rest)")
    _ = try await Program.run(["touch", "\(world.notes).go"])
    try await poll { try await played.client.manager.listProviders().contains { $0.flows.contains("changed") && $0.held > 0 } }
    // The daemon still retries a few times.
    let dropped = try await Self.control(world, "script", "drop-last")
    #expect(
      dropped.output == "dropped: ask one, step do\nnot undone, and may be done again: step do, step wait\n", "\(dropped.errors)")
    try await flow.shows("other")
    #expect(try await flow.coordinator.held() == nil)
    withExtendedLifetime(played) {}
  }

  @Test("An event alone drops no answer; only the administrator's tool can drop one")
  func eventAloneDropsNothing() async throws {
    let world = try ScriptWorld()
    try world.write("two", #"ask menu one One a=A; ask menu two Two a=A"#)
    let played = try await world.play("two")
    let flow = played.flow
    try await flow.shows("one")
    try await flow.send("a")
    try await flow.shows("two")
    await #expect(throws: ClientError.self) { try await flow.coordinator.delegate(screen: 0, event: "drop-last") }
    #expect(try await flow.router.window().screens.last?.screen.name == "two")
    withExtendedLifetime(played) {}
  }

  @Test("An exported log is a test of the changed script")
  func exportedLogIsATest() async throws {
    let world = try ScriptWorld()
    try world.write("two", #"ask menu one One a=A; ask step do -- true; ask menu two Two a=A"#)
    let played = try await world.play("two")
    let flow = played.flow
    try await flow.shows("one")
    try await flow.send("a")
    try await flow.shows("two")
    let export = try await Self.control(world, "script", "export")
    #expect(export.status == .exited(0), "\(export.errors)")
    let same = try await Program.run(
      [try Built.executable("coordinator-scripts"), "export", "two"], environment: RunningDaemon.environment(of: world.bus))
    #expect(same.output == export.output, "\(same.errors)")
    let bench = try ScriptBench()
    try bench.keep("log.json", export.output)
    try bench.write("two", #"ask menu one "Another one" a=A b=B; ask step do -- true; ask menu three Three a=A"#)
    let fits = try await bench.run("check", "two", "--log", "log.json")
    #expect(fits.status == .exited(0) && fits.output == "log.json: fits\n", "\(fits.output) \(fits.errors)")
    try bench.write("two", #"ask menu other Other a=A; ask step do -- true; ask menu two Two a=A"#)
    let misfit = try await bench.run("check", "two", "--log", "log.json")
    #expect(misfit.status == .exited(1))
    #expect(
      misfit.output.contains(#"recorded 1. ask "one"; now 1. ask "other". Since then, step "do" was done."#), "\(misfit.output)")
    withExtendedLifetime(played) {}
  }

  @Test("A script that is not held is retried without effect")
  func nothingIsHeld() async throws {
    let world = try ScriptWorld()
    try world.write("one", "ask menu one One a=A")
    let played = try await world.play("one")
    let flow = played.flow
    try await flow.shows("one")
    let retry = try await Self.control(world, "script", "retry", flow.name)
    #expect(retry.status == .exited(0) && retry.output == "not held\n", "\(retry.errors)")
    withExtendedLifetime(played) {}
  }

  private static func control(_ world: ScriptWorld, _ arguments: String...) async throws -> ProgramReport {
    try await Program.run(
      [try Built.executable("coordinatorctl")] + arguments, environment: RunningDaemon.environment(of: world.bus))
  }
}

extension JSONValue {
  fileprivate init?(json text: String) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
    self = value
  }
}

extension Flow {
  /// The name of the flow tree.
  fileprivate var name: String { path.elements.last.map(String.init) ?? "" }
}
