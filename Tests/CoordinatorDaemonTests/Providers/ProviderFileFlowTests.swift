import CoordinatorBus
import CoordinatorKit
import DBus
import Platform
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Flows that provider files name", .timeLimit(.minutes(5)))
struct ProviderFileFlowTests {
  private static let name = "com.example.Cafe"
  static let path: ObjectPath = "/org/coordinatord/FlowProvider1"

  /// Decides for a flow of one question, whose answer is the result.
  static let question: TestProvider.Decider = { question throws(DBusError) in
    switch question.kind {
    case "start":
      return .answer(
        "asked", do: [.op("present", ["key": .string("size")])],
        screens: ["size": .screen("menu", "size", "How large?", actions: ["large": "Large", "wait": "Wait"])])
    case "event" where question.name == "wait": return .answer("asked")
    case "event": return .answer("", do: [.op("finish", ["result": .vardict(["size": .string(question.name)])])])
    default: throw ContractError.unknownEvent(message: "not taken").dbusError
    }
  }

  /// Starts a provider in the test's process, at the path of provider files.
  private func provider(
    _ daemon: TestDaemon, named name: String? = nil, replace: Bool = false, _ decide: @escaping TestProvider.Decider = question
  ) async throws -> TestProvider {
    let provider = TestProvider(try await daemon.anotherClient(), decide: decide)
    try await provider.connection.export(provider, at: Self.path)
    if let name {
      #expect(try await provider.connection.requestName(name, replace: replace, allowReplacement: true) != .exists)
    }
    return provider
  }

  private func entry(_ flow: String, _ daemon: TestDaemon) async throws -> [String: Value]? {
    try await daemon.manager("ListFlows").first?.elements?.compactMap(\.vardict).first { $0["name"]?.string == flow }
  }

  private func providers(_ daemon: TestDaemon, _ origin: String = "file") async throws -> [[String: Value]] {
    let all = try await daemon.manager("ListProviders").first?.elements?.compactMap(\.vardict) ?? []
    return all.filter { $0["origin"]?.string == origin }
  }

  /// Subscribes to FlowsChanged.
  private func changes(_ daemon: TestDaemon) async throws -> SignalSequence {
    try await daemon.client.signals(
      matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowsChanged"))
  }

  /// Returns the flows that the next signal adds and, with a minus, removes.
  private func next(_ changes: SignalSequence) async -> [String] {
    for await case .signal(let signal) in changes {
      let removed = signal.body[1].elements?.compactMap(\.string) ?? []
      return (signal.body[0].elements?.compactMap(\.string) ?? []) + removed.map { "-\($0)" }
    }
    return []
  }

  @Test("P4: A flow with a file is listed, and can be started though nothing runs: the bus starts its program")
  func startedThoughNothingRuns() async throws {
    let activating = try ActivatingBus([Self.name: nil])
    try activating.serve("coffee", by: Self.name, "Title=The café")
    let daemon = try await TestDaemon(FlowCatalogue(), on: activating.bus, providers: activating.providers)
    #expect(try await entry("coffee", daemon)?["provider"] == .string(Self.name))
    #expect(try await entry("coffee", daemon)?["title"] == .string("coffee of the file"))
    #expect(try await providers(daemon).map { $0["state"]?.string } == ["activatable"])
    let started = Lock(0)
    try await activating.whenStarted(Self.name, on: daemon.client) {
      started.withLock { $0 += 1 }
      _ = try? await self.provider(daemon, named: Self.name)
    }
    let root = try await daemon.start("coffee")
    #expect(started.withLock(\.self) == 1)
    let origin = try await daemon.screens(root).first?["origin"]?.vardict
    #expect(origin == ["name": .string(Self.name), "title": .string("The café")])
    #expect(try await providers(daemon).map { $0["state"]?.string } == ["running"])
    #expect(try await providers(daemon).map { $0["live"]?.uint64 } == [1])
    try await daemon.delegate(root, 1, "large")
    #expect(try await daemon.outcome(root) == "finished")
    try await daemon.end()
  }

  @Test("P16: The next event restarts a program that has exited while idle, and clients see no difference")
  func idleExit() async throws {
    let activating = try ActivatingBus([Self.name: nil])
    try activating.serve("coffee", by: Self.name)
    let daemon = try await TestDaemon(FlowCatalogue(), on: activating.bus, providers: activating.providers)
    let running = Observed<[TestProvider]>([])
    try await activating.whenStarted(Self.name, on: daemon.client) {
      guard let provider = try? await self.provider(daemon, named: Self.name) else { return }
      running.update { $0.append(provider) }
    }
    let root = try await daemon.start("coffee")
    for count in 1...3 {
      try await running.until { $0.count == count }.last?.connection.close()
      try await daemon.delegate(root, 1, "wait")
    }
    try await running.until { $0.count == 4 }.last?.connection.close()
    try await daemon.delegate(root, 1, "large")
    #expect(try await daemon.outcome(root) == "finished")
    try await daemon.end()
  }

  @Test("P10: A program that never takes its name is ProviderGone in time, leaves nothing, and hinders no other tree")
  func neverTakesItsName() async throws {
    let activating = try ActivatingBus([Self.name: nil])
    try activating.serve("coffee", by: Self.name)
    let daemon = try await TestDaemon(
      FlowCatalogue(), on: activating.bus, providers: activating.providers, providerStartTime: .milliseconds(300))
    let other = try await provider(daemon)
    try await other.serve(.flow("tea"))
    let isStarted = Observed(false)
    try await activating.whenStarted(Self.name, on: daemon.client) { isStarted.update { $0 = true } }
    async let failing: Void = expectError("ProviderGone") {
      _ = try await daemon.start("coffee", [:], ["token": .string("one")])
    }
    try await isStarted.until { $0 }
    let tea = try await daemon.start("tea")
    try await daemon.delegate(tea, 1, "wait")
    await failing
    let listed = try #require(try await providers(daemon).first)
    #expect(listed["state"] == .string("failing"))
    #expect(listed["problem"]?.string?.contains("has not taken its name") == true)
    // The failed start has left nothing behind, not even its token.
    _ = try await daemon.start("tea", [:], ["token": .string("one")])
    try await daemon.end()
  }

  @Test("P10: A program that ends instead of taking its name is ProviderGone, with what the bus says about it")
  func startFails() async throws {
    let activating = try ActivatingBus([Self.name: "/bin/false"])
    try activating.serve("coffee", by: Self.name)
    let daemon = try await TestDaemon(FlowCatalogue(), on: activating.bus, providers: activating.providers)
    for _ in 1...6 { await expectError("ProviderGone") { _ = try await daemon.start("coffee") } }
    #expect(try await providers(daemon).first?["problem"]?.string?.contains("exited with status 1") == true)
    // A provider that was not started by the bus may serve as well.
    let provider = try await provider(daemon, named: Self.name)
    _ = try await daemon.start("coffee")
    #expect(provider.questions.map(\.kind) == ["start"])
    #expect(try await providers(daemon).map { $0["state"] } == [.string("running")])
    try await daemon.end()
  }

  @Test("P10: A flow whose program the bus cannot start is ProviderGone, and its provider is away")
  func notActivatable() async throws {
    let activating = try ActivatingBus()
    try activating.serve("coffee", by: Self.name)
    let daemon = try await TestDaemon(FlowCatalogue(), on: activating.bus, providers: activating.providers)
    #expect(try await providers(daemon).map { $0["state"] } == [.string("away")])
    await expectError("ProviderGone") { _ = try await daemon.start("coffee") }
    try await daemon.end()
  }

  @Test("P2: Only the owner of the name in the file may register a flow, also against a connection that came first")
  func fileOwnerBeatsFirstComer() async throws {
    let activating = try ActivatingBus()
    let daemon = try await TestDaemon(FlowCatalogue(), on: activating.bus, providers: activating.providers)
    let changes = try await changes(daemon)
    let first = try await provider(daemon)
    try await first.serve(.flow("coffee"))
    #expect(await next(changes) == ["coffee"])
    let owner = try await provider(daemon, named: Self.name)
    await expectError("FlowTaken") { try await owner.serve(.flow("coffee"), named: Self.name) }
    let root = try await daemon.start("coffee")
    #expect(try await daemon.screens(root).first?["origin"]?.vardict == ["name": .string("")])
    try activating.serve("coffee", "tea", by: Self.name)
    #expect(await next(changes) == ["tea"])
    #expect(try await entry("coffee", daemon)?["provider"] == .string(Self.name))
    await expectError("FlowTaken") { try await first.serve(.flow("coffee")) }
    try await owner.serve(.flow("coffee", ["summary": .string("Registered.")]), named: Self.name)
    #expect(try await entry("coffee", daemon)?["summary"] == .string("Registered."))
    _ = try await daemon.start("coffee")
    #expect(owner.questions.map(\.kind) == ["start"])
    // A provider under another name does not take over the flows that the first one has served.
    await expectError("ProviderGone") { try await daemon.delegate(root, 1, "large") }
    #expect(first.questions.map(\.kind) == ["start"])
    try await daemon.end()
  }

  @Test("P4: The description of the running program replaces the file's, until it leaves")
  func registrationReplacesTheFile() async throws {
    let activating = try ActivatingBus()
    try activating.serve("coffee", by: Self.name)
    let daemon = try await TestDaemon(FlowCatalogue(), on: activating.bus, providers: activating.providers)
    let owner = try await provider(daemon, named: Self.name)
    try await owner.serve(.flow("coffee", ["title": .string("Fresh coffee")]), named: Self.name)
    #expect(try await entry("coffee", daemon)?["title"] == .string("Fresh coffee"))
    await owner.connection.close()
    try await poll { try await entry("coffee", daemon)?["title"] == .string("coffee of the file") }
    try await daemon.end()
  }

  @Test("P3: A program that takes the name in the middle of a Decide is asked instead, and the caller sees no difference")
  func replacedInMidDecide() async throws {
    let activating = try ActivatingBus()
    try activating.serve("coffee", by: Self.name)
    let daemon = try await TestDaemon(FlowCatalogue(), on: activating.bus, providers: activating.providers)
    let old = SilentProvider(try await daemon.anotherClient())
    try await old.connection.export(old, at: Self.path)
    #expect(try await old.connection.requestName(Self.name, allowReplacement: true) == .primaryOwner)
    async let root = daemon.start("coffee")
    try await old.calls.until { !$0.isEmpty }
    let new = try await provider(daemon, named: Self.name, replace: true)
    await old.connection.close()
    try await daemon.delegate(try await root, 1, "large")
    #expect(new.questions.map(\.kind) == ["start", "event"])
    try await daemon.end()
  }

  @Test("P1: Changed files are read again, an invalid one affects only itself, and FlowsChanged announces the changes")
  func changedFiles() async throws {
    let activating = try ActivatingBus()
    try activating.serve("coffee", by: Self.name)
    let daemon = try await TestDaemon(FlowCatalogue(), on: activating.bus, providers: activating.providers)
    let changes = try await changes(daemon)
    try activating.serve("tea", by: "com.example.Tea", in: "b.conf")
    #expect(await next(changes) == ["tea"])
    try activating.write("[Provider]\nBusName=com.example.Tea\n[Flow tea]\nTitel=Tea\n", to: "b.conf")
    #expect(await next(changes) == ["-tea"])
    let faulty = try #require(try await providers(daemon).first { $0["state"]?.string == "failing" })
    #expect(faulty["problem"]?.string?.contains("b.conf:4: unknown key Titel") == true)
    #expect(faulty["name"] == .string("com.example.Tea"))
    try activating.serve("tea", "coffee", by: "com.example.Tea", in: "b.conf")
    #expect(await next(changes) == ["tea"])
    let losing = try #require(try await providers(daemon).first { $0["file"]?.string?.hasSuffix("b.conf") == true })
    #expect(losing["problem"]?.string == "coffee is served by \(activating.providers)/a.conf")
    #expect(losing["flows"]?.elements?.compactMap(\.string) == ["tea"])
    try activating.remove("a.conf")
    try activating.remove("b.conf")
    #expect(await next(changes) == ["-coffee", "-tea"])
    try await daemon.end()
  }

  @Test("P1: A flow that is built in stays so, whatever a file says")
  func builtIn() async throws {
    let activating = try ActivatingBus()
    try activating.serve("pets", "coffee", by: Self.name)
    let daemon = try await TestDaemon(try .builtIn(), on: activating.bus, providers: activating.providers)
    #expect(try await entry("pets", daemon)?["provider"] == nil)
    #expect(try await providers(daemon).first?["problem"] == .string("pets is built into the daemon"))
    #expect(try await providers(daemon, "builtin").first?["flows"]?.elements?.contains(.string("pets")) == true)
    _ = try await daemon.start("pets")
    try await daemon.end()
  }

  @Test("P21: A flow may start the flows of its program as children, and those of other programs that Children= names")
  func children() async throws {
    let activating = try ActivatingBus()
    try activating.serve("coffee", "milk", by: Self.name, "Children=how-to-code")
    let daemon = try await TestDaemon(try .builtIn(), on: activating.bus, providers: activating.providers)
    _ = try await provider(daemon, named: Self.name) { question throws(DBusError) in
      guard question.kind == "script" else { return try Self.question(question) }
      return .answer("", do: [.op("start-child", ["flow": .string(question.name)])])
    }
    let root = try await daemon.start("coffee")
    await expectError("ProviderFailed") { try await daemon.delegate(root, 0, "pets") }
    try await daemon.delegate(root, 0, "how-to-code")
    try await daemon.delegate(root, 0, "milk")
    try await daemon.end()
  }
}

/// A provider that never answers.
private final class SilentProvider: ExportedObject {
  let connection: Connection
  let interfaces = [Contract.flowProvider]
  /// The calls, which would be answered with an error if they were released.
  let calls = Observed<[IncomingCall]>([])

  init(_ connection: Connection) { self.connection = connection }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value { throw .unknownProperty(name) }

  func handle(_ call: IncomingCall) { calls.update { $0.append(call) } }
}
