import CoordinatorKit
import CoordinatorTestKit
import Glibc
import TestBus
import Testing

@testable import CoordinatorPrograms
@testable import KeeperClient

@Suite("L: The flow of a live program", .timeLimit(.minutes(2)))
struct LiveProgramTests {
  private let menu: [String: JSONValue] = [
    "kind": "menu", "name": "menu-colour", "title": "Colour", "body": "Which one?",
    "actions": [["id": "red", "title": "Red", "role": "normal"], ["id": "blue", "title": "Blue", "role": "normal"]],
  ]
  private let pin: [String: JSONValue] = [
    "kind": "form", "name": "password", "title": "", "body": "PIN?",
    "schema": ["type": "object", "properties": ["pin": ["type": "string", "title": "PIN", "writeOnly": true]]],
    "fields": ["pin"], "actions": [["id": "ok", "title": "OK", "role": "primary"]],
  ]

  private func started(_ keeper: ScriptedKeeper, log: Record<String> = Record()) async throws -> TestFlow {
    var catalogue = FlowCatalogue()
    let places = keeper.places
    try catalogue.add { LiveProgram(places: places, programs: ShownPrograms()) { log.append($0) } }
    return try await TestFlow.start("program", input: ["program": "demo", "title": "Demo"], in: catalogue)
  }

  private func shows(_ flow: TestFlow, _ name: String) async throws -> Screen {
    let state = await flow.renderer.state { state in
      state.window.top?.content.name == name && (name == "working" || state.window.top?.content.progress == nil)
    }
    return try #require(state.window.top?.content)
  }

  private func outcome(_ flow: TestFlow) async throws -> Outcome {
    let root = flow.tree.root
    return try #require(await flow.renderer.state { $0.outcomes[root] != nil }.outcomes[root])
  }

  private func request(_ keeper: ScriptedKeeper) async throws -> JSONValue {
    var requests = keeper.requests.makeAsyncIterator()
    return try #require(await requests.next())
  }

  @Test("L3: A question is shown, its answer reaches the program, and the program's end ends the flow with its status")
  func answers() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    let flow = try await started(keeper)
    #expect(try await flow.top.content.name == "working")
    keeper.ask("r-1", menu)
    #expect(try await shows(flow, "menu-colour").title == "Colour")
    try await flow.send("blue")
    #expect(try await request(keeper) == ["answer": "r-1", "event": "blue", "payload": [:], "secrets": [:]])
    keeper.ask("r-2", pin)
    #expect(try await shows(flow, "password").title == "Demo")
    keeper.end(["status": 7])
    #expect(try await outcome(flow) == .finished(["status": 7]))
  }

  @Test("L3: A secret reaches the program beside the payload, whatever its bytes are")
  func secrets() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    let flow = try await started(keeper)
    keeper.ask("r-1", pin)
    _ = try await shows(flow, "password")
    try await flow.send("ok", ["pin": "a\"b\\c\u{1}é"])
    #expect(
      try await request(keeper) == ["answer": "r-1", "event": "ok", "payload": [:], "secrets": ["pin": "a\"b\\c\u{1}é"]])
  }

  @Test("L4: Back is offered where the program offers it, and is an answer")
  func back() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    let flow = try await started(keeper)
    keeper.ask("r-1", menu)
    _ = try await shows(flow, "menu-colour")
    await #expect(throws: (any Error).self) { try await flow.back() }
    keeper.ask("r-2", menu.merging(["name": "second"]) { $1 }, back: true)
    _ = try await shows(flow, "second")
    try await flow.back()
    #expect(try await request(keeper) == ["back": "r-2"])
    keeper.ask("r-3", menu)
    #expect(try await shows(flow, "menu-colour").name == "menu-colour")
    keeper.end(["status": 0])
    #expect(try await outcome(flow) == .finished(["status": 0]))
  }

  @Test("An answer that the program refuses is asked for again, with the reason")
  func refusals() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    let flow = try await started(keeper)
    keeper.refuse("r-1", because: "there is no blue")
    keeper.ask("r-1", menu, back: true)
    _ = try await shows(flow, "menu-colour")
    try await flow.send("blue")
    let state = await flow.renderer.state { state in
      state.window.top?.content.messages.contains { $0.code == "refused" } == true
    }
    let message = state.window.top?.content.messages.first { $0.code == "refused" }
    #expect(message?.text.contains("there is no blue") == true)
  }

  @Test("A question that is withdrawn is taken down, and the program is shown as working")
  func withdrawal() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    let flow = try await started(keeper)
    keeper.ask("r-1", menu)
    _ = try await shows(flow, "menu-colour")
    keeper.work()
    _ = try await shows(flow, "working")
  }

  @Test("L5: A program that was ended by a signal, or whose keeper has gone, ends the flow as failed", arguments: [true, false])
  func losses(keeperLeaves: Bool) async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    let log = Record<String>()
    let flow = try await started(keeper, log: log)
    keeper.ask("r-1", menu)
    _ = try await shows(flow, "menu-colour")
    if keeperLeaves { keeper.leave() } else { keeper.end(["signal": 9]) }
    guard case .failed(let failure) = try await outcome(flow) else {
      Issue.record("the flow has not failed")
      return
    }
    #expect(failure.code == "program-ended")
    guard keeperLeaves else {
      #expect(failure.message == "The program was ended by the signal 9.\nthe last line" && log.values.isEmpty)
      return
    }
    #expect(failure.message == "The program was lost: what kept it has ended.")
    let reasons = try await log.reaches(1)
    #expect(reasons.count == 1 && reasons[0].hasPrefix("the program demo was lost: "))
  }

  @Test("A failure while a program continues is logged once, and not shown to users")
  func troubles() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    let log = Record<String>()
    let flow = try await started(keeper, log: log)
    keeper.end(["status": 3], troubles: ["a call of whiptail was lost"])
    #expect(try await outcome(flow) == .finished(["status": 3]))
    #expect(log.values == ["the program demo: a call of whiptail was lost"])
  }

  @Test("However much a program has printed, its end ends the flow with its status")
  func longOutput() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    let flow = try await started(keeper)
    keeper.end(["status": 3], lines: Array(repeating: .string(String(repeating: "\u{1F600}", count: 500)), count: 1_000))
    #expect(try await outcome(flow) == .finished(["status": 3]))
  }

  @Test("L8: A program of root says so before it has asked anything")
  func root() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    // Without a change, a watch waits.
    let flow = try await started(keeper)
    keeper.report(["lines": ["copying files"]])
    let state = await flow.renderer.state { $0.window.top?.content.markup != nil }
    let isOfRoot = state.window.top?.content.messages.contains { $0.code == "root" }
    #expect(isOfRoot == (geteuid() == 0))
  }

  @Test("Of what a program prints, the last lines are shown that fit on a small terminal")
  func output() {
    let lines = (1...24).map { "line \($0)" }
    #expect(LiveProgram.tail(of: lines + [" ", ""], below: "") == lines.suffix(12).joined(separator: "\n"))
    #expect(LiveProgram.tail(of: lines, below: "Copying\nfiles") == lines.suffix(9).joined(separator: "\n"))
    let long = String(repeating: "x", count: 100)
    #expect(LiveProgram.tail(of: [long, long, "a", "b", "c"], below: String(repeating: "\n", count: 30)) == "a\nb\nc")
    #expect(LiveProgram.tail(of: ["a", String(repeating: long, count: 9)], below: "") == String(repeating: long, count: 9))
    #expect(LiveProgram.tail(of: ["", " "], below: "") == "")
  }

  @Test("A connection that is lost is not the end of a keeper")
  func lostConnections() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    let flow = try await started(keeper)
    keeper.hangUp()
    keeper.ask("r-1", menu)
    _ = try await shows(flow, "menu-colour")
    keeper.hangUp()
    keeper.ask("r-2", menu.merging(["name": "second"]) { $1 })
    _ = try await shows(flow, "second")
    keeper.end(["status": 0])
    #expect(try await outcome(flow) == .finished(["status": 0]))
  }

  @Test("What a keeper says of the end is checked", arguments: [["signal": 2_147_483_647], ["status": -1], ["status": 256], [:]])
  func strangeEnds(ending: [String: JSONValue]) {
    let end = ProgramEnd(ending, lines: [])
    #expect(end.cause == .outOfReach)
    #expect(end.status == nil)
  }

  @Test("A long text with structure is shortened, and can be answered")
  func longTexts() throws {
    let text = String(repeating: "д", count: 100_000)
    let blocks = JSONValue.array([["kind": "verbatim", "spans": [["text": .string(text)]]]])
    let screen: [String: JSONValue] = [
      "kind": "message", "name": "textbox", "title": "T", "body": .string(text), "blocks": blocks,
      "actions": [["id": "ok", "title": "OK", "role": "primary"]],
    ]
    let question = try #require(AskedQuestion(["id": "r-1", "screen": .object(screen)]))
    #expect(question.screen.body.hasSuffix("…"))
    #expect(question.screen.actions.count == 1)
  }

  @Test("A question that is too long for a coordinator's state is shortened, and one with too many rows is not shown")
  func longQuestions() throws {
    let text = String(repeating: "long ", count: 40_000)
    let long = try #require(AskedQuestion(["id": "r-1", "screen": .object(menu.merging(["body": .string(text)]) { $1 })]))
    #expect(long.screen.body.utf8.count < 17_000)
    #expect(long.screen.actions.count == 2)
    let items = JSONValue.array((0..<5_000).map { ["id": .string("\($0)"), "title": "A row that has a title of some length"] })
    let many = try #require(
      AskedQuestion(["id": "r-1", "screen": .object(menu.merging(["kind": "list", "items": items]) { $1 })]))
    #expect(many.screen.kind == .message && many.screen.items == nil)
  }

  @Test("The title of a question that is too long is cut, however few characters its scalars form")
  func longTitles() throws {
    let title = "a" + String(repeating: "\u{301}", count: 100_000)
    let question = try #require(
      AskedQuestion(["id": "r-1", "screen": .object(menu.merging(["title": .string(title)]) { $1 })]))
    #expect(question.screen.title.unicodeScalars.count == 200)
    #expect(try JSONText.encode(question.screen).utf8.count < 120 * 1024)
  }
}
