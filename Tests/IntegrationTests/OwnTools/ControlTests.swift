import CoordinatorKit
import Foundation
import TestBus
import Testing

@Suite("coordinatorctl", .timeLimit(.minutes(5)))
struct ControlTests {
  private let daemon: RunningDaemon

  init() async throws { daemon = try await RunningDaemon.start() }

  private func control(_ arguments: String..., input: String = "") async throws -> ProgramReport {
    try await Program.run(
      [Built.executable("coordinatorctl")] + arguments, environment: daemon.environment, input: input)
  }

  private func json(_ arguments: String...) async throws -> JSONValue {
    let report = try await Program.run(
      [Built.executable("coordinatorctl"), "--json"] + arguments, environment: daemon.environment)
    return try JSONDecoder().decode(JSONValue.self, from: Data(report.output.utf8))
  }

  @Test("'coordinatorctl flows' lists the flows that can be started")
  func flowsListsWhatCanBeStarted() async throws {
    #expect(try await control("flows").output.contains("schedule-visit – Schedule a visit"))
    let names = try await json("flows").array?.compactMap { $0["name"]?.string }
    #expect(names?.contains("pets") == true)
  }

  @Test("'coordinatorctl' starts, shows, sends, goes back and dismisses")
  func commandsPlayAWholeVisit() async throws {
    #expect(try await control("start", "pets").output == "pets_1\n")
    #expect(try await control("show").lines.last == "  1) Schedule a visit  [schedule-visit]")
    #expect(try await control("send", "schedule-visit").output.hasPrefix("select-visit-type – "))
    #expect(try await control("send", "pets", "sick").output.hasPrefix("select-pain-level – "))
    #expect(
      try await control("tree").lines == ["pets_1  1 home", "└─ schedule_visit_1  2 select-visit-type, [3 select-pain-level]"])
    #expect(try await control("back").output.hasPrefix("select-visit-type – "))
    #expect(try await control("dismiss", "pets_1/schedule_visit_1").output.hasPrefix("home – "))
    #expect(try await control("dismiss").output == "The flow was cancelled.\n")
    #expect(try await control("tree").output.hasPrefix("No flow is running"))
  }

  @Test("The JSON output of coordinatorctl has the keys that scripts need")
  func jsonOutputHasTheKeysScriptsNeed() async throws {
    #expect(try await json("start", "pets", "--token", "mine")["coordinator"]?.string?.hasSuffix("/flows/mine") == true)
    let sent = try await json("send", "schedule-visit")
    #expect(sent["revision"] == 2)
    #expect(sent["window"]?["screens"]?[1]?["name"] == "select-visit-type")
    let tree = try await json("tree")
    #expect(tree[0]?["token"] == "mine")
    #expect(tree[0]?["children"]?[0]?["screens"]?[0] == ["id": 2, "name": "select-visit-type", "top": true])
    #expect(try await json("dismiss") == ["revision": 3, "outcome": "cancelled", "result": [:]])
  }

  @Test("Starting a flow with the token of an ended one reports its outcome and exits with status 6")
  func tokenOfAnEndedFlowExitsWithSix() async throws {
    for _ in 0..<2 { #expect(try await control("start", "pets", "--token", "mine").status == .exited(0)) }
    _ = try await control("dismiss", "mine")
    let report = try await control("start", "pets", "--token", "mine")
    #expect(report.status == .exited(6))
    #expect(report.output == "mine\n")
    #expect(report.errors.contains("nothing was started: 'mine' has already ended (cancelled)"))
    #expect(try await control("start", "account", "--token", "mine").status == .exited(1))
  }

  @Test("'coordinatorctl show' prints what was typed into a form and not sent")
  func showPrintsUnsentDrafts() async throws {
    let account = try await Flow.start("account", daemon.client())
    try await account.router.saveDraft(screen: account.top(), values: ["username": "ada"])
    let lines = try await control("show").lines
    #expect(lines.last == "'coordinatorctl back' ends the flow: this is its first screen.")
    #expect(lines.contains { $0.hasSuffix(": ada (typed, not sent)  [username]") }, "\(lines)")
  }

  @Test("'coordinatorctl log' reads the journal of the running daemon, wherever its state directory is")
  func logFindsTheJournalOfTheRunningDaemon() async throws {
    let bus = try PrivateBus()
    let other = try await RunningDaemon.start(on: bus, ["--state-dir", "\(bus.directory)/elsewhere"])
    _ = try await Flow.start("pets", other.client())
    let log = [try Built.executable("coordinatorctl"), "log", "--json"]
    #expect(try await Program.run(log, environment: other.environment).lines.count == 1)
    let named = try await Program.run(log + ["--name", "elsewhere"], environment: other.environment)
    #expect(named.lines.count == 1, "\(named)")
    _ = await other.stop()
    let silent = try await RunningDaemon.start(on: bus, ["--ephemeral"])
    let report = try await Program.run(log, environment: silent.environment)
    #expect(report.status == .exited(1))
    #expect(report.errors.contains("keeps no history"))
    _ = await silent.stop()
  }

  @Test("'coordinatorctl start' starts a child below the coordinator on top or below a given one")
  func startPlacesChildrenBelowAParent() async throws {
    _ = try await control("start", "pets")
    #expect(try await control("start", "schedule-visit", "--style", "modal").output == "pets_1/schedule_visit_1\n")
    #expect(
      try await control("start", "how-to-code", "--parent", "pets_1/schedule_visit_1").output
        == "pets_1/schedule_visit_1/how_to_code_1\n")
  }

  @Test("'coordinatorctl run' runs a flow to its end, prints its result, and exits with a status for its outcome")
  func runExitsWithTheOutcomeOfTheFlow() async throws {
    let finished = try Program(
      [Built.executable("coordinatorctl"), "run", "schedule-visit", "--token", "a"], environment: daemon.environment)
    let cancelled = try Program(
      [Built.executable("coordinatorctl"), "run", "schedule-visit", "--token", "b"], environment: daemon.environment)
    let watch = try await started("a")
    _ = try await started("b")
    _ = try await control("send", "a", "well")
    _ = try await control("send", "a", "okay")
    _ = try await control("dismiss", "b")
    let report = await finished.ended()
    #expect(report.status == .exited(0))
    #expect(report.output == "visit: well\n")
    #expect(await cancelled.ended().status == .exited(3))
    #expect(await watch.ended().status == .exited(0))
  }

  @Test("An interrupted 'coordinatorctl run' dismisses its flow")
  func interruptedRunDismissesItsFlow() async throws {
    let run = try Program(
      [Built.executable("coordinatorctl"), "run", "schedule-visit", "--token", "c"], environment: daemon.environment)
    let watch = try await started("c")
    run.signal(SIGINT)
    #expect(await run.ended().status == .killed(SIGINT))
    #expect(await watch.ended().status == .exited(3))
  }

  /// Waits until the flow with a token runs, and watches it.
  private func started(_ token: String) async throws -> Program {
    let client = try await daemon.client()
    let signals = try await client.signals(of: daemon)
    while try await !client.manager.listActive().contains(where: { $0.token == token }) {
      try await signals.first("FlowStarted")
    }
    let watch = try daemon.launch(Built.executable("coordinatorctl"), "watch", token)
    try await watch.prints("\n")
    return watch
  }

  @Test("'coordinatorctl watch' follows a flow to its end with one object per line")
  func watchFollowsAFlowToItsEnd() async throws {
    _ = try await control("start", "schedule-visit")
    let watch = try daemon.launch(Built.executable("coordinatorctl"), "watch", "--json")
    try await watch.prints("\n")
    _ = try await control("send", "well")
    try await watch.prints("\n", times: 2)
    _ = try await control("send", "okay")
    let report = await watch.ended()
    let events = try report.lines.map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
    #expect(events.first?["event"] == "window")
    #expect(events.last == ["event": "ended", "outcome": "finished", "result": ["visit": "well"]])
    #expect(report.status == .exited(0))
  }

  @Test("A misspelled flow, event or tree gets a suggestion")
  func wrongNamesGetSuggestions() async throws {
    let flow = try await control("start", "pest")
    #expect(flow.status == .exited(10))
    #expect(flow.errors.contains("did you mean 'pets'?"))
    _ = try await control("start", "schedule-visit")
    #expect(try await control("send", "sikc").errors.contains("did you mean 'sick'?"))
    #expect(try await control("send", "zzz").errors.contains("it offers 'well', 'sick'"))
    _ = try await control("start", "pets")
    let several = try await control("show")
    #expect(several.errors.contains("  pets_2\n  schedule_visit_1"))
    #expect(several.status == .exited(1))
  }

  @Test("Every invalid field of a payload is named")
  func everyInvalidFieldIsNamed() async throws {
    _ = try await control("start", "schedule-visit")
    let text = try await control("send", "well", "colour=red")
    #expect(text.errors.contains("  colour: "))
    let report = try await control("send", "well", "colour=red", "--json")
    let error = try JSONDecoder().decode(JSONValue.self, from: Data(report.errors.utf8))
    #expect(error["error"]?["name"] == "org.coordinatord.Coordinator1.Error.InvalidPayload")
    #expect(error["error"]?["fields"]?["colour"] != nil)
    #expect(report.output.isEmpty)
  }

  @Test("'coordinatorctl' exits with 64 for a wrong command line, and with 2 without a bus or a daemon")
  func usageAndConnectionErrorsHaveTheirStatuses() async throws {
    #expect(try await control("send").status == .exited(64))
    #expect(try await control("start", "pets", "--style", "sideways").status == .exited(64))
    #expect(try await control("send", "well", "age:={").status == .exited(64))
    let noBus = try await control("tree", "--address", "unix:path=/nowhere")
    #expect(noBus.status == .exited(2))
    #expect(noBus.errors.contains("/nowhere"))
    let empty = try PrivateBus()
    let noDaemon = try await control("--address", empty.address, "tree")
    #expect(noDaemon.status == .exited(2))
    #expect(noDaemon.errors.contains("coordinatord &"))
  }
}
