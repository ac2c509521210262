import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Glibc
import TestBus
import Testing

@testable import CoordinatorDaemon

/// A flow that its user cannot leave, and that shows whether one of its handlers has run.
private actor Turnstile: Coordinator {
  static let flow = FlowDescription("turnstile", title: "Turnstile", canBeLeft: false)
  enum Route: Codable { case gate }
  struct State: FlowState { var ended = 0 }
  let context = Context()
  func start() { router.present(.gate) }
  func screen(for route: Route) -> Screen {
    .message("gate", title: Text(verbatim: "Ended: \(state.ended)"), actions: [.primary("child", "Child")])
  }
  func receive(_ event: Event, on route: Route) throws { try startChild(Turnstile.self) }
  func childEnded(_ child: Child, outcome: Outcome) { state.ended += 1 }
}

extension FlowCatalogue {
  fileprivate static func turnstile() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { Turnstile() }
    return catalogue
  }
}

@Suite("The end of a tree that an administrator forces", .timeLimit(.minutes(5)))
struct ForcedEndTests {
  private static let force: [String: Value] = ["force": .boolean(true)]

  private func history(on bus: PrivateBus) throws -> [String] {
    try HistoryReader(directory: TestDaemon.journal(on: bus)).page().entries
      .filter { $0.occasion.kind == .dismiss }
      .map { "\($0.occasion.name ?? "-") by \($0.occasion.caller?.user.map(String.init) ?? "-") \($0.outcome ?? "-")" }
  }

  @Test("A tree that cannot be left ends by force, and its history names who forced it")
  func unleavableTreeEnds() async throws {
    let bus = try PrivateBus()
    let daemon = try await TestDaemon(try .turnstile(), on: bus, isKept: true)
    let root = try await daemon.start("turnstile", [:], ["token": .string("mine")])
    await expectError("NotDismissable") { try await daemon.dismiss(root) }
    await expectError("NotDismissable") { try await daemon.dismiss(root, ["force": .boolean(false)]) }
    let keyed = Self.force.merging(["request": .string("end")]) { $1 }
    let revision = try await daemon.dismiss(root, keyed)
    #expect(try await daemon.outcome(root) == "cancelled")
    #expect(try await daemon.dismiss(root, keyed) == revision, "a repeated call gets its first answer")
    await expectError("InvalidArgs") { try await daemon.dismiss(root, ["request": .string("end")]) }
    try await daemon.end()
    #expect(try history(on: bus) == ["force by \(geteuid()) cancelled"])
  }

  @Test("A child that is ended by force is an end like any other for its parent")
  func childEnds() async throws {
    let daemon = try await TestDaemon(try .turnstile())
    let root = try await daemon.start("turnstile")
    try await daemon.delegate(root, 1, "child")
    try await daemon.dismiss(try root.appending("turnstile_1"), Self.force)
    #expect(try await daemon.screens(root).map { $0["title"]?.string } == ["Ended: 1"])
    try await daemon.end()
  }

  @Test("Others may not force an end, not even of what they may dismiss, and nothing changes")
  func othersMayNot() async throws {
    let catalogue = try FlowCatalogue.turnstile()
    let daemon = try await TestDaemon(catalogue, access: FlowAccess(unrestricted: [4_000_000_123]))
    let root = try await daemon.start("turnstile")
    try await daemon.delegate(root, 1, "child")
    let child = try root.appending("turnstile_1")
    for path in [root, child] { await expectError("AccessDenied") { try await daemon.dismiss(path, Self.force) } }
    #expect(try await daemon.screens(root).count == 2)
    try await daemon.dismiss(child)
    try await daemon.end()
  }

  @Test("Forcing ends a tree that works, and the work is cancelled")
  func busyTreeEnds() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab")
    try await daemon.delegate(root, 1, "work")
    try await daemon.dismiss(root, Self.force)
    #expect(try await daemon.outcome(root) == "cancelled")
    try await daemon.end()
  }

  @Test("Forcing ends a held tree as well, and the history names it")
  func heldTreeEnds() async throws {
    var daemon = try await TestDaemon(.new(), isKept: true)
    let root = try await daemon.start("notebook")
    try await daemon.end()
    let bus = daemon.bus
    daemon = try await TestDaemon(.old(), on: bus, isKept: true)
    try await daemon.dismiss(root, Self.force)
    #expect(try await daemon.outcome(root) == "cancelled")
    try await daemon.end()
    #expect(try history(on: bus) == ["force by \(geteuid()) cancelled"])
  }

  @Test("Forcing does not wait for a provider that is silent, or gone, though its flow cannot be left")
  func providerIsNotAsked() async throws {
    let daemon = try await TestDaemon(FlowCatalogue())
    let provider = TestProvider(try await daemon.anotherClient()) { question throws(DBusError) in
      guard question.kind == "start" else { return nil }
      return .answer(
        "", do: [.op("present", ["key": .string("menu")])],
        screens: ["menu": .screen("menu", "menu", "Menu", actions: ["go": "Go"])])
    }
    try await provider.serve(.flow("menu", ["leavable": .boolean(false), "deadline": .uint64(20_000_000)]))
    let (silent, gone) = (try await daemon.start("menu"), try await daemon.start("menu"))
    async let answer: Void = expectError("UnknownObject") { try await daemon.delegate(silent, 1, "go") }
    try await provider.asked(3)
    await expectError("NotDismissable") { try await daemon.dismiss(gone) }
    try await daemon.dismiss(silent, Self.force)
    await answer
    try await daemon.bus.disconnect(provider.connection)
    try await daemon.dismiss(gone, Self.force)
    #expect(try await daemon.manager("ListActive").first?.elements == [])
    try await daemon.end()
  }
}
