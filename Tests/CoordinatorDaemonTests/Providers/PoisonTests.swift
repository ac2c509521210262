import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("P12: Events that kill their provider", .timeLimit(.minutes(5)))
struct PoisonTests {
  /// Decides for a flow that starts work; the end of work that was started as poison gets no answer.
  private static let menu: TestProvider.Decider = { question throws(DBusError) in
    switch (question.kind, question.name) {
    case ("start", _):
      return .answer(
        "", do: [.op("present", ["key": .string("menu")])],
        screens: ["menu": .screen("menu", "menu", "Menu", actions: ["poison": "Poison", "go": "Go"])])
    case ("event", "go"): return .answer("went")
    case ("event", let name): return .answer(name, do: [.op("work", ["id": .string("w-1")])])
    case ("work-ended", _) where isPoison(question): return nil
    case ("migrate", _): return .answer(question.state)
    default: return .answer("done")
    }
  }

  private static func isPoison(_ question: TestProvider.Question) -> Bool {
    question.kind == "work-ended" && question.state == "poison"
  }

  private static let name = "com.example.Menu"

  /// A provider that is restarted each time it dies, as under `Restart=always`.
  private struct Restarted {
    let daemon: TestDaemon
    var name = PoisonTests.name
    var decide = PoisonTests.menu
    /// The processes, in the order in which they were started.
    private(set) var all: [TestProvider] = []

    init(_ daemon: TestDaemon, named name: String = PoisonTests.name) async throws {
      (self.daemon, self.name) = (daemon, name)
      try await start()
    }

    var last: TestProvider { all[all.count - 1] }

    mutating func start(version: UInt32 = 1, digest: String = "first") async throws {
      let provider = TestProvider(try await daemon.anotherClient(), decide: decide)
      if !name.isEmpty { #expect(try await provider.connection.requestName(name) == .primaryOwner) }
      try await provider.serve(.flow("menu", ["version": .uint32(version)]), named: name, digest: digest)
      all.append(provider)
    }

    /// Ends the process, and waits until the daemon has noticed.
    func stop() async throws {
      let changes = try await daemon.client.signals(
        matching: MatchRule(type: .signal, interface: Contract.managerInterface, member: "FlowsChanged"))
      await last.connection.close()
      for await case .signal(let signal) in changes where signal.body.last?.elements?.isEmpty == false { return }
    }

    /// Lets the poison kill the provider, and restarts it.
    mutating func die() async throws {
      try await last.asked { $0.contains(where: PoisonTests.isPoison) }
      try await stop()
      try await start()
    }
  }

  /// Starts work, and ends it; the daemon asks the provider about the end, and no caller waits.
  private func end(_ event: String, of root: ObjectPath, _ daemon: TestDaemon, by provider: TestProvider) async throws {
    try await daemon.delegate(root, 1, event)
    let begun = try #require(await provider.performed.stream.first { _ in true })
    try await provider.end(begun, ["value": .string("")])
  }

  /// Waits until a coordinator is held permanently: then, calls are refused as Held.
  private func isHeld(_ root: ObjectPath, _ daemon: TestDaemon) async throws {
    let changes = try await daemon.client.signals(
      matching: MatchRule(type: .signal, path: root, interface: "org.freedesktop.DBus.Properties"))
    var iterator = changes.makeAsyncIterator()
    while true {
      do { try await daemon.delegate(root, 1, "go") } catch let error as DBusError {
        if error.name.hasSuffix("Error.Held") { return }
      }
      _ = await iterator.next()
    }
  }

  /// Returns how often each of the processes was asked the fatal question.
  private func poisons(_ provider: Restarted) -> [Int] { provider.all.map { $0.questions.count(where: Self.isPoison) } }

  @Test(
    "A coordinator is held after three deaths that count, and another process of the same program is not asked",
    arguments: [Self.name, ""])
  func holds(name: String) async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    var provider = try await Restarted(daemon, named: name)
    let poisoned = try await daemon.start("menu")
    let other = try await daemon.start("menu")
    try await end("poison", of: poisoned, daemon, by: provider.last)
    // The first death does not count, because other questions may have been in flight.
    for _ in 0..<4 { try await provider.die() }
    try await isHeld(poisoned, daemon)
    for _ in 0..<3 {
      try await provider.stop()
      try await provider.start()
      try await daemon.delegate(other, 1, "go")
    }
    #expect(poisons(provider) == [1, 1, 1, 1, 0, 0, 0, 0])
    await expectError("Held") { try await daemon.delegate(poisoned, 1, "go") }
    try await daemon.end()
  }

  @Test(
    "A hold ends by another digest of the program, by another version, and on demand",
    arguments: ["digest", "version", "demand"])
  func ends(by what: String) async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    var provider = try await Restarted(daemon)
    let root = try await daemon.start("menu")
    try await end("poison", of: root, daemon, by: provider.last)
    for _ in 0..<4 { try await provider.die() }
    try await isHeld(root, daemon)
    try await provider.stop()
    provider.decide = { question throws(DBusError) in .answer(question.state) }
    switch what {
    case "digest": try await provider.start(digest: "second")
    case "version": try await provider.start(version: 2)
    default:
      try await provider.start()
      #expect(provider.last.questions.isEmpty)
      _ = try await daemon.manager("RetryHeld")
    }
    try await provider.last.asked { $0.last?.kind == "work-ended" }
    try await daemon.delegate(root, 1, "go")
    try await daemon.end()
  }

  @Test("What was asked beside the poison is asked again alone, is answered, and is not charged with a death")
  func innocent() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    var provider = try await Restarted(daemon)
    let poisoned = try await daemon.start("menu")
    var innocents: [ObjectPath] = []
    for _ in 0..<3 { innocents.append(try await daemon.start("menu")) }
    try await daemon.delegate(poisoned, 1, "poison")
    let begun = try #require(await provider.last.performed.stream.first { _ in true })
    // Questions that are in flight when the poison kills the provider.
    let first = provider.last
    first.keepsSilent = true
    let answers = innocents.map { root in Task { try await daemon.delegate(root, 1, "go") } }
    try await first.asked { $0.count(where: { $0.name == "go" }) == 3 }
    try await first.end(begun, ["value": .string("")])
    for _ in 0..<4 { try await provider.die() }
    try await isHeld(poisoned, daemon)
    for answer in answers { _ = try await answer.value }
    #expect(poisons(provider) == [1, 1, 1, 1, 0])
    // Once in the first process, and once more.
    #expect(provider.all.reduce(0) { $0 + $1.questions.count(where: { $0.name == "go" }) } == 6)
    try await daemon.end()
  }

  @Test("Deaths count together that are so far apart that nothing serves the flow meanwhile")
  func apart() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    var provider = try await Restarted(daemon, named: "")
    let root = try await daemon.start("menu")
    try await end("poison", of: root, daemon, by: provider.last)
    let changes = try await daemon.client.signals(
      matching: MatchRule(type: .signal, path: root, interface: "org.freedesktop.DBus.Properties"))
    var iterator = changes.makeAsyncIterator()
    for number in 0..<4 {
      try await provider.last.asked { $0.contains(where: Self.isPoison) }
      try await provider.stop()
      // No provider serves the flow, and the event waits.
      while try await daemon.property("Held", Contract.coordinatorInterface, at: root) == .string("") {
        _ = await iterator.next()
      }
      if number < 3 { try await provider.start() }
    }
    try await isHeld(root, daemon)
    try await provider.start()
    #expect(poisons(provider) == [1, 1, 1, 1, 0])
    try await daemon.end()
  }
}
