import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Flows served by another process", .timeLimit(.minutes(5)))
struct ProvidedFlowTests {
  /// Decides for a flow of two screens: a question, then a result.
  private static let coffee: TestProvider.Decider = { question throws(DBusError) in
    switch (question.kind, question.key, question.name) {
    case ("start", _, _):
      return .answer(
        "asked", do: [.op("present", ["key": .string("size")])],
        screens: ["size": .screen("menu", "size", "How large?", actions: ["large": "Large", "none": "None"])])
    case ("event", "size", "none"): throw ContractError.denied(message: "there must be some").dbusError
    case ("event", "size", let size):
      return .answer(
        size, do: [.op("present", ["key": .string("done")])],
        screens: ["done": .screen("message", "done", "Here it is: \(size)", actions: ["okay": "Okay"])])
    case ("event", "done", _):
      return .answer("", do: [.op("finish", ["result": .vardict(["size": .string(question.state)])])])
    case ("back", "done", _): return .answer("asked")
    default: throw ContractError.unknownEvent(message: "not taken").dbusError
    }
  }

  private func names(_ daemon: TestDaemon, _ root: ObjectPath) async throws -> [String] {
    try await daemon.screens(root).compactMap { $0["name"]?.string }
  }

  @Test("P5: Each handler is one Decide, and the answer is shown, stored and returned like a built-in flow's")
  func walk() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = TestProvider(try await daemon.anotherClient(), decide: Self.coffee)
    #expect(try await provider.serve(.flow("coffee")) == [.uint32(0)])
    let root = try await daemon.start("coffee")
    #expect(try await names(daemon, root) == ["size"])
    try await daemon.delegate(root, 1, "large")
    #expect(try await daemon.screens(root).last?["title"] == .string("Here it is: large"))
    _ = try await daemon.call(
      Contract.routerPath(of: root), Contract.routerInterface, "Back", [.uint64(2), .vardict([:])])
    #expect(try await names(daemon, root) == ["size"])
    try await daemon.delegate(root, 1, "large")
    try await daemon.delegate(root, 3, "okay")
    #expect(try await daemon.outcome(root) == "finished")
    #expect(provider.questions.map(\.kind) == ["start", "event", "back", "event", "event"])
    #expect(provider.questions.map(\.state) == ["", "asked", "large", "asked", "large"])
    try await daemon.end()
  }

  @Test("P6: The turn grows with every question, also with a refused one, and a refusal changes nothing")
  func turns() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = TestProvider(try await daemon.anotherClient(), decide: Self.coffee)
    try await provider.serve(.flow("coffee"))
    let root = try await daemon.start("coffee")
    await expectError("Denied") { try await daemon.delegate(root, 1, "none") }
    await expectError("UnknownEvent") { try await daemon.delegate(root, 1, "tea") }
    try await daemon.delegate(root, 1, "large")
    let turns = provider.questions.map(\.turn)
    #expect(turns == turns.sorted() && Set(turns).count == turns.count)
    #expect(provider.questions.map(\.kind) == ["start", "event", "event"])
    #expect(provider.questions.last?.state == "asked")
    try await daemon.end()
  }

  @Test("P7: One fault drops the whole answer: the caller gets ProviderFailed with the fault, and nothing has changed")
  func faults() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = TestProvider(try await daemon.anotherClient()) { question throws(DBusError) in
      if question.kind == "start" { return try Self.coffee(question) }
      return .answer("x", do: [.op("present", ["key": .string("a")]), .op("explode")])
    }
    try await provider.serve(.flow("coffee"))
    let root = try await daemon.start("coffee")
    await expectError("ProviderFailed") { try await daemon.delegate(root, 1, "large") }
    #expect(try await names(daemon, root) == ["size"])
    #expect(try await daemon.property("Held", Contract.coordinatorInterface, at: root) == .string(""))
    try await daemon.end()
  }

  @Test("P2: What one connection serves, another cannot, until the first has left; its trees then go on")
  func taken() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let first = TestProvider(try await daemon.anotherClient(), decide: Self.coffee)
    let second = TestProvider(try await daemon.anotherClient(), decide: Self.coffee)
    let signals = try await daemon.client.signals(
      matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowsChanged"))
    try await first.serve(.flow("coffee"))
    await expectError("FlowTaken") { try await second.serve(.flow("coffee")) }
    let root = try await daemon.start("coffee")
    await first.connection.close()
    #expect(await changes(signals, count: 2) == [["coffee"], ["-coffee"]])
    await expectError("ProviderGone") { try await daemon.delegate(root, 1, "large") }
    await expectError("ProviderGone") { _ = try await daemon.start("coffee", [:], ["token": .string("two")]) }
    #expect(try await names(daemon, root) == ["size"])
    #expect(try await second.serve(.flow("coffee")) == [.uint32(1)])
    try await daemon.delegate(root, 1, "large")
    #expect(try await names(daemon, root) == ["size", "done"])
    // The failed start has left nothing behind.
    _ = try await daemon.start("coffee", [:], ["token": .string("two")])
    try await daemon.end()
  }

  @Test("P14: After a restart of the daemon, a tree is restored without its provider, and continues when it is served again")
  func restarted() async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(FlowCatalogue(), on: bus, isKept: true)
    var provider = TestProvider(try await daemon.anotherClient(), decide: Self.coffee)
    try await provider.serve(.flow("coffee"))
    let root = try await daemon.start("coffee")
    let turn = provider.questions.last?.turn ?? 0
    try await daemon.end()
    daemon = try await TestDaemon(FlowCatalogue(), on: bus, isKept: true)
    #expect(try await names(daemon, root) == ["size"])
    await expectError("ProviderGone") { try await daemon.delegate(root, 1, "large") }
    provider = TestProvider(try await daemon.anotherClient(), decide: Self.coffee)
    #expect(try await provider.serve(.flow("coffee")) == [.uint32(1)])
    try await daemon.delegate(root, 1, "large")
    #expect(try await names(daemon, root) == ["size", "done"])
    #expect(provider.questions.first.map { $0.turn > turn } == true)
    try await daemon.end()
  }

  @Test("P6: No turn is used again after a restart, also if its question was refused and the clock was set back since")
  func turnsAfterRestart() async throws {
    let (clocks, bus) = (TestClocks(), try PrivateBus())
    var turns: [UInt64] = []
    var root: ObjectPath?
    for change in [0, 1_000_000, 3_600_000_000] as [UInt64] {
      clocks.forgetAlarms()
      clocks.set(TestClocks.start - change)
      clocks.pass(1)
      let daemon = try await TestDaemon(FlowCatalogue(), on: bus, isKept: true, clock: clocks.clock)
      let provider = TestProvider(try await daemon.anotherClient(), decide: Self.coffee)
      try await provider.serve(.flow("coffee"))
      let path = if let root { root } else { try await daemon.start("coffee") }
      root = path
      await expectError("Denied") { try await daemon.delegate(path, 1, "none") }
      turns += provider.questions.map(\.turn)
      try await daemon.end()
    }
    #expect(turns.count == 4)
    #expect(turns == turns.sorted() && Set(turns).count == turns.count)
  }

  @Test("P17: Work begins after the commit, and its result arrives by EndWork as a separate event")
  func work() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = TestProvider(try await daemon.anotherClient()) { question throws(DBusError) in
      switch question.kind {
      case "start":
        return .answer(
          "", do: [.op("present", ["key": .string("form")])],
          screens: ["form": .screen("menu", "form", "Join", actions: ["join": "Join"])])
      case "event":
        return .answer(
          "joining", do: [.op("work", ["id": .string("join-1"), "argument": .string("home")])],
          screens: ["form": .screen("message", "form", "Joining")])
      case "work-ended":
        return .answer("joined", do: [.op("finish", ["result": .vardict(["address": question.event["value"] ?? .string("")])])])
      default: throw ContractError.unknownEvent(message: "").dbusError
      }
    }
    try await provider.serve(.flow("join"))
    let root = try await daemon.start("join")
    try await daemon.delegate(root, 1, "join")
    let performance = try #require(await provider.performed.stream.first { _ in true })
    #expect(performance.argument == "home" && performance.work == "join-1")
    #expect(try await daemon.screens(root).first?["title"] == .string("Joining"))
    let signals = try await daemon.client.signals(
      matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowEnded"))
    try await provider.end(performance, ["value": .string("10.0.0.1")])
    _ = await signals.first { _ in true }
    #expect(try await daemon.outcome(root) == "finished")
    try await daemon.end()
  }

  /// Returns the flows that were added and, with a minus, removed, by signal.
  private func changes(_ signals: SignalSequence, count: Int) async -> [[String]] {
    var result: [[String]] = []
    for await delivery in signals {
      guard case .signal(let signal) = delivery else { continue }
      let added = signal.body[0].elements?.compactMap(\.string) ?? []
      let removed = signal.body[1].elements?.compactMap(\.string) ?? []
      result.append(added + removed.map { "-" + $0 })
      if result.count == count { break }
    }
    return result
  }
}
