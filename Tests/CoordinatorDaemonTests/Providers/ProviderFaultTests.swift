import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Providers that are slow, die, and come back", .timeLimit(.minutes(5)))
struct ProviderFaultTests {
  /// Decides for a flow of one menu; the event `slow` gets no answer.
  private static let menu: TestProvider.Decider = { question throws(DBusError) in
    switch (question.kind, question.name) {
    case ("start", _):
      return .answer(
        "", do: [.op("present", ["key": .string("menu")])],
        screens: ["menu": .screen("menu", "menu", "Menu", actions: ["slow": "Slow", "go": "Go", "work": "Work"])])
    case ("event", "slow"): return nil
    case ("event", "work"):
      return .answer("working", do: [.op("work", ["id": .string("w-1"), "argument": .string("now")])])
    case ("work-ended", _):
      return .answer("", do: [.op("finish", ["result": .vardict(["is": question.event["value"] ?? .string("")])])])
    default: return .answer(question.name)
    }
  }

  @Test("P10: After the deadline the caller gets ProviderTimeout; the late answer is ignored, and the next turn is right")
  func late() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    try await provider.serve(.flow("menu", ["deadline": .uint64(50_000)]))
    let root = try await daemon.start("menu")
    await expectError("ProviderTimeout") { try await daemon.delegate(root, 1, "slow") }
    provider.answerLate(.answer("late"))
    try await daemon.delegate(root, 1, "go")
    try await daemon.delegate(root, 1, "go")
    #expect(provider.questions.map(\.state) == ["", "", "", "go"])
    #expect(Set(provider.questions.map(\.turn)).count == 4)
    try await daemon.end()
  }

  @Test("P11: A provider with a name that dies over a question is asked again, with the same turn, when it is back")
  func dies() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let first = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    let name = "com.example.Menu"
    #expect(try await first.connection.requestName(name) == .primaryOwner)
    try await first.serve(.flow("menu", ["deadline": .uint64(20_000_000)]), named: name)
    let root = try await daemon.start("menu")
    async let answer = daemon.delegate(root, 1, "slow")
    try await first.asked(2)
    let second = TestProvider(try await daemon.anotherClient()) { _ throws(DBusError) in .answer("answered") }
    try await daemon.bus.disconnect(first.connection)
    #expect(try await second.connection.requestName(name) == .primaryOwner)
    try await second.serve(.flow("menu", ["deadline": .uint64(20_000_000)]), named: name)
    _ = try await answer
    #expect(first.questions.last?.turn == second.questions.first?.turn)
    // A repetition has the same bytes.
    #expect(first.questions.last?.context == second.questions.first?.context)
    #expect(second.questions.map(\.state) == [""])
    try await daemon.end()
  }

  @Test("P12: A provider that dies three times over one question, asked alone, is not asked again")
  func poison() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let name = "com.example.Menu"
    let provider = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    #expect(try await provider.connection.requestName(name) == .primaryOwner)
    try await provider.serve(.flow("menu"), named: name)
    let root = try await daemon.start("menu")
    let answer = Task { try await daemon.delegate(root, 1, "slow") }
    var dying = provider
    for number in 0..<4 {
      try await dying.asked(number == 0 ? 2 : 1)
      try await daemon.bus.disconnect(dying.connection)
      dying = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
      #expect(try await dying.connection.requestName(name) == .primaryOwner)
      try await dying.serve(.flow("menu"), named: name)
    }
    await expectError("ProviderFailed") { _ = try await answer.value }
    #expect(dying.questions.isEmpty)
    try await daemon.delegate(root, 1, "go")
    try await daemon.end()
  }

  @Test(
    "P12: An error of the provider is its answer, whatever the error's name is: only the bus can report that it has left",
    arguments: ["NoReply", "ServiceUnknown", "NameHasNoOwner"])
  func playsDead(name: String) async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = TestProvider(try await daemon.anotherClient()) { question throws(DBusError) in
      if question.name == "slow" { throw DBusError(name: DBusError.standardPrefix + name, message: "the shelf is empty") }
      return try Self.menu(question)
    }
    try await provider.serve(.flow("menu"))
    let root = try await daemon.start("menu")
    let error = await #expect(throws: DBusError.self) { try await daemon.delegate(root, 1, "slow") }
    #expect(error?.name == Contract.errorPrefix + "ProviderFailed")
    #expect(error?.message.contains("the shelf is empty") == true)
    try await daemon.delegate(root, 1, "go")
    #expect(provider.questions.map(\.name) == ["", "slow", "go"])
    try await daemon.end()
  }

  @Test("P18: Work whose provider leaves is begun again by its successor, as the next attempt, and its result counts")
  func workGoesOn() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let first = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    try await first.serve(.flow("menu"))
    let root = try await daemon.start("menu")
    try await daemon.delegate(root, 1, "work")
    let begun = try #require(await first.performed.stream.first { _ in true })
    #expect(begun.attempt == 1)
    try await daemon.bus.disconnect(first.connection)
    let second = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    try await second.serve(.flow("menu"))
    let again = try #require(await second.performed.stream.first { _ in true })
    #expect(again.attempt == 2 && again.work == begun.work && again.instance == begun.instance)
    let stranger = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    await expectError("AccessDenied") { try await stranger.end(again, ["value": .string("stolen")]) }
    let ended = try await daemon.client.signals(
      matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowEnded"))
    try await second.end(again, ["value": .string("done")])
    _ = await ended.first { _ in true }
    #expect(try await daemon.outcome(root) == "finished")
    // The daemon ignores the result, and reports success.
    try await second.end(again, ["value": .string("twice")])
    try await daemon.end()
  }

  @Test("P17: A result that comes after a restart of the daemon, before the work was begun again, counts")
  func resultAfterRestart() async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(FlowCatalogue(), on: bus, isKept: true)
    var provider = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    try await provider.serve(.flow("menu"))
    let root = try await daemon.start("menu")
    try await daemon.delegate(root, 1, "work")
    let begun = try #require(await provider.performed.stream.first { _ in true })
    try await daemon.end()
    daemon = try await TestDaemon(FlowCatalogue(), on: bus, isKept: true)
    let ended = try await daemon.client.signals(
      matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowEnded"))
    provider = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    try await provider.serve(.flow("menu"))
    try await provider.end(begun, ["value": .string("done")])
    _ = await ended.first { _ in true }
    #expect(try await daemon.outcome(root) == "finished")
    try await daemon.end()
  }

  @Test("P24: A call of the provider into the tree that waits for it is refused at once; reads are answered")
  func wouldWait() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    try await provider.serve(.flow("menu"))
    let root = try await daemon.start("menu")
    async let answer = daemon.delegate(root, 1, "slow")
    try await provider.asked(2)
    await expectError("WouldWait") {
      _ = try await provider.connection.call(
        MethodCall(
          destination: Contract.busName, path: root, interface: Contract.coordinatorInterface, member: "Delegate",
          arguments: [.uint64(1), .string("go"), .vardict([:]), .vardict([:])]))
    }
    _ = try await provider.connection.call(
      MethodCall(
        destination: Contract.busName, path: root, interface: "org.freedesktop.DBus.Properties", member: "GetAll",
        arguments: [.string(Contract.coordinatorInterface)]))
    provider.answerLate(.answer("answered"))
    _ = try await answer
    try await daemon.end()
  }

  @Test("P12: While one tree's provider is slow, another tree of the same provider is answered")
  func others() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    try await provider.serve(.flow("menu"))
    let slow = try await daemon.start("menu")
    let quick = try await daemon.start("menu")
    async let answer = daemon.delegate(slow, 1, "slow")
    try await provider.asked(3)
    try await daemon.delegate(quick, 1, "go")
    provider.answerLate(.answer("answered"))
    _ = try await answer
    try await daemon.end()
  }

  @Test("A provider is notified of the end of its coordinators")
  func ended() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    try await provider.serve(.flow("menu"))
    let root = try await daemon.start("menu")
    try await daemon.dismiss(root)
    let told = try #require(await provider.ended.stream.first { _ in true })
    #expect(told == "\(provider.questions[0].instance) cancelled")
    try await daemon.end()
  }
}
