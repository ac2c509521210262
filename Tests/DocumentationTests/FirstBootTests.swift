import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("The wizard of Docs/writing-flows.md", .timeLimit(.minutes(5)))
struct FirstBootTests {
  private let machine = SimulatedMachine()

  private func catalogue() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { [machine] in FirstBoot(machine: machine) }
    try catalogue.add { UserSetup() }
    try catalogue.add { [machine] in NetworkSetup(machine: machine) }
    return catalogue
  }

  private func started(holdingWork: Bool = false) async throws -> TestFlow {
    let flow = try await TestFlow.start("first-boot", in: catalogue(), holdingWork: holdingWork)
    flow.setRenderer(isAttached: true)
    return flow
  }

  private static func person(_ password: String = "correct horse") -> [String: JSONValue] {
    ["name": "Ada Lovelace", "login": "ada", "password": .string(password), "repeated": .string(password)]
  }

  /// Answers until the list of networks is shown.
  private func atTheNetworks(_ flow: TestFlow) async throws {
    try await flow.send("begin")
    try await flow.select("Europe/Berlin")
    try await flow.send("next", Self.person())
    try await flow.send("next", ["name": "kitchen"])
    _ = try await flow.state { $0.window.top?.content.items?.isEmpty == false }
  }

  /// Joins the secured network, and waits for the summary.
  private func join(_ flow: TestFlow) async throws {
    try await flow.select("Home")
    try await flow.send("join", ["passphrase": "open-sesame"])
    _ = try await flow.state { $0.window.top?.content.name == "summary" }
  }

  private func atTheEnd() async throws -> TestFlow {
    let flow = try await started()
    try await atTheNetworks(flow)
    try await join(flow)
    return flow
  }

  @Test("The answers are applied with the password of the third step, and are the result")
  func answersAreApplied() async throws {
    let flow = try await atTheEnd()
    try await flow.send("apply")
    _ = try await flow.state { $0.window.top?.content.name == "done" }
    #expect(machine.done == ["join Home", "time zone Europe/Berlin", "host name kitchen", "user ada correct horse"])
    #expect(try await flow.top.back == false)
    try await flow.send("restart")
    #expect(
      try await flow.outcome
        == .finished([
          "timeZone": "Europe/Berlin", "user": ["name": "Ada Lovelace", "login": "ada"], "host": ["name": "kitchen"],
          "network": "Home",
        ]))
  }

  @Test("Screens say which step they are, which row is suggested, what will be asked, and what to scan")
  func screensSayMore() async throws {
    let flow = try await started()
    #expect(try await flow.top.content.markup?.blocks.first?.spans.contains(.init("two minutes", .strong)) == true)
    try await flow.send("begin")
    #expect(try await flow.top.content.step == Step(2, of: 6))
    #expect(try await flow.top.content.choosing == Choosing(initial: ["Europe/Berlin"]))
    #expect(try await flow.top.content.items?.map(\.group) == ["Africa", "Europe", "Pacific", nil])
    try await flow.back()
    try await atTheNetworks(flow)
    #expect(try await flow.top.content.step == Step(5, of: 6))
    try await join(flow)
    #expect(try await flow.top.content.actions.first?.confirmation == "Set up this machine with these answers?")
    try await flow.send("apply")
    _ = try await flow.state { $0.window.top?.content.name == "done" }
    #expect(try await flow.top.content.picture == .code("https://kitchen.local"))
  }

  @Test("The last screen counts down, and restarts by itself")
  func lastScreenCountsDown() async throws {
    let flow = try await atTheEnd()
    try await flow.send("apply")
    _ = try await flow.state { $0.window.top?.content.name == "done" }
    #expect(try await flow.top.content.until == flow.clock.now + .seconds(30))
    try await flow.advance(by: .seconds(30))
    #expect(try await flow.outcome.name == "finished")
  }

  @Test("Back leads through both child flows to the beginning, and what was typed is still there")
  func backLeadsThroughBothChildren() async throws {
    let flow = try await atTheEnd()
    var names: [String] = []
    while try await flow.top.back {
      let top = try await flow.top
      names.append(top.content.name)
      if top.content.name == "user" { #expect(top.draft == ["name": "Ada Lovelace", "login": "ada"]) }
      if top.content.name == "host-name" { #expect(top.draft == ["name": "kitchen"]) }
      try await flow.back()
    }
    #expect(names == ["summary", "passphrase", "networks", "host-name", "user", "time-zone"])
    #expect(try await flow.names == ["welcome"])
    #expect(try await flow.coordinators == ["flow_1"])
    await #expect(throws: CallError.self) { try await flow.cancel() }
  }

  @Test("On the way back, the password need not be typed again, and a changed answer replaces the first one")
  func changedAnswerReplacesTheFirst() async throws {
    let flow = try await atTheEnd()
    while try await flow.top.content.name != "user" { try await flow.back() }
    try await flow.send("next", ["name": "Grace Hopper", "login": "grace"])
    try await flow.send("next", ["name": "cellar"])
    try await flow.send("skip")
    #expect(
      try await flow.top.content.review.map { "\($0.title): \($0.value)" } == [
        "Time zone: Europe/Berlin", "Network: none", "Full name: Grace Hopper", "Log-in name: grace", "Password: ••••••",
        "Password, once more: ••••••", "Host name: cellar",
      ])
    try await flow.send("apply")
    _ = try await flow.state { $0.window.top?.content.name == "done" }
    #expect(machine.done.suffix(2) == ["host name cellar", "user grace correct horse"])
  }

  @Test("Change leads to the step of an answer, also of one that was chosen from a list or in a child")
  func changeLeadsToTheStep() async throws {
    for (title, name) in [("Time zone", "time-zone"), ("Host name", "host-name"), ("Network", "networks")] {
      let flow = try await atTheEnd()
      let row = try #require(try await flow.top.content.review.first { $0.title == title }?.screen)
      try await flow.send(ReviewRow.change, ["id": .integer(Int64(row.number))])
      #expect(try await flow.top.content.name == name)
    }
  }

  @Test("A weak password is used anyway without being typed again, or changed")
  func weakPasswordIsUsedAnyway() async throws {
    let flow = try await started()
    try await flow.send("begin")
    try await flow.select("UTC")
    let mismatch = Self.person().merging(["repeated": "another"]) { $1 }
    await #expect(throws: CallError.refused(.invalidPayload(["repeated": "is not the same as the password"]))) {
      try await flow.send("next", mismatch)
    }
    try await flow.send("next", Self.person("short"))
    #expect(try await flow.names == ["welcome", "time-zone", "user", "weak-password"])
    try await flow.send("change")
    #expect(try await flow.top.content.values == ["name": "Ada Lovelace", "login": "ada"])
    try await flow.send("next", Self.person("brief"))
    try await flow.send("use")
    #expect(try await flow.names == ["welcome", "time-zone", "user", "host-name"])
    try await flow.send("next", ["name": "kitchen"])
    try await flow.send("skip")
    try await flow.send("apply")
    _ = try await flow.state { $0.window.top?.content.name == "done" }
    #expect(machine.done.last == "user ada brief")
  }

  @Test("The list of networks follows the radio every two seconds without a transition, and pauses without a viewer")
  func networksAreLive() async throws {
    let flow = try await started()
    try await atTheNetworks(flow)
    #expect(try await flow.top.content.items?.map(\.title) == ["Home", "Guests"])
    let before = (revision: try await flow.state.revision, scans: machine.scans)
    machine.bringIntoReach([WirelessNetwork(name: "Attic", isSecured: false, strength: 20)])
    try await flow.advance(by: .seconds(2))
    #expect(try await flow.top.content.items?.map(\.title) == ["Attic"])
    #expect(try await flow.state.revision == before.revision)
    flow.setRenderer(isAttached: false)
    try await flow.advance(by: .seconds(3_600))
    #expect(machine.scans == before.scans + 1)
    await #expect(throws: CallError.invalidPayload(["id": "is not in the list"])) { try await flow.select("Home") }
    try await flow.select("Attic")
    _ = try await flow.state { $0.window.top?.content.name == "summary" }
  }

  @Test("A network that refuses the passphrase says so, and another one can be chosen")
  func wrongPassphraseIsReported() async throws {
    let flow = try await started()
    try await atTheNetworks(flow)
    try await flow.select("Home")
    try await flow.send("join", ["passphrase": "sesame-open"])
    let state = try await flow.state { $0.window.top?.messages.isEmpty == false }
    #expect(state.window.top?.messages.map(\.text) == ["Home does not let this machine in."])
    try await flow.back()
    try await flow.select("Guests")
    _ = try await flow.state { $0.window.top?.content.name == "summary" }
  }

  @Test("After a restart in the middle, the user types the password again, and nothing else is lost")
  func restartAsksForThePassword() async throws {
    let flow = try await atTheEnd().restarted()
    flow.setRenderer(isAttached: true)
    let state = try await flow.state { $0.window.top?.content.name == "user" }
    #expect(state.window.top?.messages.map(\.text) == ["Please type the password again."])
    #expect(state.window.top?.content.values == ["name": "Ada Lovelace", "login": "ada"])
    try await flow.send("next", Self.person("correct donkey"))
    #expect(try await flow.top.content.values == ["name": "kitchen"])
    try await flow.send("next", ["name": "kitchen"])
    _ = try await flow.state { $0.window.top?.content.items?.isEmpty == false }
    try await join(flow)
    try await flow.send("apply")
    _ = try await flow.state { $0.window.top?.content.name == "done" }
    #expect(machine.done.last == "user ada correct donkey")
  }

  @Test("A restart while the answers are applied leads to the password, too")
  func restartWhileApplying() async throws {
    let flow = try await started(holdingWork: true)
    try await atTheNetworks(flow)
    try await flow.send("skip")
    try await flow.send("apply")
    #expect(try await flow.top.content.progress != nil)
    #expect(try await flow.top.back == false)
    let back = try await flow.restarted()
    _ = try await back.state { $0.window.top?.content.name == "user" }
    #expect(try await back.state.window.screens.map(\.content.name) == ["welcome", "time-zone", "user"])
  }

  @Test("Every way through the wizard works")
  func everyWayThroughTheWizardWorks() async throws {
    var explorer = try FlowExplorer(
      "first-boot", in: catalogue(),
      answers: [
        "user": [Self.person(), Self.person("short")],
        "host-name": [["name": "kitchen"]],
        "passphrase": [["passphrase": "open-sesame"], ["passphrase": "sesame-open"]],
      ],
      maxStates: 2_000, itemsPerList: 2)
    explorer.triesOnlyAnswers = true
    let walk = try await explorer.walk()
    let screens: Set = [
      "welcome", "time-zone", "user", "weak-password", "host-name", "networks", "passphrase", "summary", "done",
    ]
    try walk.expect(screens: screens, refusingCancel: screens)
    #expect(walk.outcomes.allSatisfy { $0.name == "finished" })
  }
}
