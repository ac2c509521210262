import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Programs that take over the flows of others", .timeLimit(.minutes(5)))
struct ProviderReplacementTests {
  /// Decides for a flow of one menu; the event `slow` gets no answer.
  private static let menu: TestProvider.Decider = { question throws(DBusError) in
    switch (question.kind, question.name) {
    case ("start", _):
      return .answer(
        "", do: [.op("present", ["key": .string("menu")])],
        screens: ["menu": .screen("menu", "menu", "Menu", actions: ["slow": "Slow", "go": "Go", "work": "Work"])])
    case ("event", "slow"): return nil
    case ("event", "work"): return .answer("", do: [.op("work", ["id": .string("w-1")])])
    case ("migrate", _): return .answer("migrated")
    default: return .answer(question.state)
    }
  }

  private static let name = "com.example.Menu"

  private func provider(_ daemon: TestDaemon, named name: String, version: UInt32 = 1) async throws -> TestProvider {
    let provider = TestProvider(try await daemon.anotherClient(), decide: Self.menu)
    #expect(try await provider.connection.requestName(name) == .primaryOwner)
    try await provider.serve(.flow("menu", ["version": .uint32(version)]), named: name)
    return provider
  }

  @Test("P15: A newer version that comes in the middle of a Decide is not asked that event, and migrates before the next")
  func upgradeInTheMiddle() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let old = try await provider(daemon, named: Self.name)
    let root = try await daemon.start("menu")
    let answer = Task { try await daemon.delegate(root, 1, "slow") }
    try await old.asked(2)
    try await daemon.bus.disconnect(old.connection)
    let new = try await provider(daemon, named: Self.name, version: 2)
    await expectError("ProviderGone") { _ = try await answer.value }
    try await daemon.delegate(root, 1, "go")
    #expect(new.questions.map(\.kind) == ["migrate", "event"])
    #expect(new.questions.map(\.state) == ["", "migrated"])
    try await daemon.end()
  }

  @Test("P2: A program of another name does not inherit what one has stored, and cannot end its work")
  func otherName() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let first = try await provider(daemon, named: Self.name)
    let root = try await daemon.start("menu")
    try await daemon.delegate(root, 1, "work")
    let begun = try #require(await first.performed.stream.first { _ in true })
    try await daemon.bus.disconnect(first.connection)
    let other = try await provider(daemon, named: "com.example.Other")
    await expectError("ProviderGone") { try await daemon.delegate(root, 1, "go") }
    await expectError("AccessDenied") { try await other.end(begun, ["value": .string("stolen")]) }
    #expect(other.questions.isEmpty)
    try await daemon.end()
  }

  @Test("P12: The property Held of a coordinator says that it waits, and that it continues")
  func held() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let first = TestProvider(try await daemon.anotherClient()) { question throws(DBusError) in
      question.kind == "work-ended" ? nil : try Self.menu(question)
    }
    try await first.serve(.flow("menu"))
    let root = try await daemon.start("menu")
    try await daemon.delegate(root, 1, "work")
    let begun = try #require(await first.performed.stream.first { _ in true })
    let changes = try await daemon.client.signals(
      matching: MatchRule(type: .signal, path: root, interface: "org.freedesktop.DBus.Properties"))
    try await first.end(begun, ["value": .string("")])
    // The end is stored, but the provider leaves before it has decided.
    try await first.asked(3)
    try await daemon.bus.disconnect(first.connection)
    var iterator = changes.makeAsyncIterator()
    func isHeld() async throws -> Bool {
      while let delivery = await iterator.next() {
        guard case .signal(let signal) = delivery, "\(signal.body)".contains("Held") else { continue }
        return try await daemon.property("Held", Contract.coordinatorInterface, at: root) != .string("")
      }
      return false
    }
    #expect(try await isHeld())
    let second = TestProvider(try await daemon.anotherClient()) { _ throws(DBusError) in .answer("", do: []) }
    try await second.serve(.flow("menu"))
    #expect(try await !isHeld())
    try await daemon.end()
  }

  @Test("P17: Work is not ordered again under an id that was used before")
  func usedID() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = try await provider(daemon, named: Self.name)
    let root = try await daemon.start("menu")
    try await daemon.delegate(root, 1, "work")
    let begun = try #require(await provider.performed.stream.first { _ in true })
    try await provider.end(begun, ["value": .string("")])
    try await provider.asked(3)
    await expectError("ProviderFailed") { try await daemon.delegate(root, 1, "work") }
    try await daemon.end()
  }
}
