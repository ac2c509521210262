import CoordinatorBus
import CoordinatorDaemon
import CoordinatorJournal
import CoordinatorKit
import CoordinatorTestKit
import DBus
import TestBus
import Testing

@Suite("Rule 10: Trees that cannot be restored are held", .timeLimit(.minutes(5)))
struct HeldTreeTests {
  private static let token: [String: Value] = ["token": .string("mine")]
  private static let coordinator = Contract.coordinatorInterface

  /// Returns a bus on which a daemon with the newer flow left a tree: two screens, and on top a child with its own
  /// screen.
  private func leftBehind(_ options: [String: Value] = token) async throws -> (
    bus: PrivateBus, root: ObjectPath, child: ObjectPath
  ) {
    let daemon = try await TestDaemon(.new(), isKept: true)
    let root = try await daemon.start("notebook", [:], options)
    try await daemon.delegate(root, 1, "note", [:], ["request": .string("first")])
    try await daemon.delegate(root, 1, "turn")
    let child = try await daemon.call(root, Self.coordinator, "StartChild", [.string("notebook"), .vardict([:]), .vardict([:])])
    try await daemon.end()
    return (daemon.bus, root, try #require(child.first?.objectPath))
  }

  @Test(
    "Rule 10: An older daemon holds a newer tree, which can be read and is unchanged after the upgrade")
  func newerTreeIsHeldAcrossDowngrade() async throws {
    let (bus, root, child) = try await leftBehind()
    var daemon = try await TestDaemon(.new(), on: bus, isKept: true)
    let before = try await daemon.screens(root)
    let revision = try await daemon.property("Revision", Contract.routerInterface, at: Contract.routerPath(of: root))
    let startedAt = try await daemon.property("StartedAt", Self.coordinator, at: root)
    try await daemon.end()

    daemon = try await TestDaemon(.old(), on: bus, isKept: true)
    let router = try Contract.routerPath(of: root)
    #expect(try await daemon.outcome(root) == "active")
    #expect(try await daemon.outcome(child) == "active")
    let row = Value.structure([.objectPath(root), .string("notebook"), .string("mine"), startedAt])
    #expect(try await daemon.manager("ListActive").first?.elements == [row])
    #expect(try await daemon.property("ActiveFlows", Contract.managerInterface, at: Contract.rootPath) == .uint32(1))
    #expect(try await daemon.property("Children", Self.coordinator, at: root) == .objectPaths([child]))
    #expect(try await daemon.property("Parent", Self.coordinator, at: child) == .objectPath(root))
    #expect(try await daemon.property("Flow", Self.coordinator, at: child) == .string("notebook"))
    #expect(try await daemon.property("Screens", Self.coordinator, at: root).elements == [])
    #expect(try await daemon.property("Revision", Contract.routerInterface, at: router) == revision)
    #expect(try await daemon.screens(root).isEmpty)
    let reason = "it was stored by version 2 of the flow notebook, but this daemon has version 1"
    for path in [root, child] { #expect(try await daemon.property("Held", Self.coordinator, at: path) == .string(reason)) }
    let attached = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict(["kind": .string("test")])])
    #expect(attached == [revision, .vardicts([])])
    let managed = try await daemon.call(Contract.rootPath, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", [])
    #expect(managed.first?.dictionaryKeys == Set([Contract.rootPath, root, router, child].map { .objectPath($0) }))
    let node = try await daemon.call(root, "org.freedesktop.DBus.Introspectable", "Introspect", []).first?.string ?? ""
    #expect(try NodeDescription(parsing: node).childNames == ["notebook_1", "router"])
    try await expectRefusals(daemon, root, router, child)
    // A request that was answered before gets the same answer again.
    #expect(try await daemon.delegate(root, 1, "note", [:], ["request": .string("first")]) == 2)
    await expectError("InvalidArgs") { try await daemon.delegate(root, 1, "turn", [:], ["request": .string("first")]) }
    try await daemon.end()

    daemon = try await TestDaemon(.new(), on: bus, isKept: true)
    #expect(try await daemon.screens(root) == before)
    #expect(before.count == 3)
    #expect(try await daemon.property("Held", Self.coordinator, at: root) == .string(""))
    #expect(try await daemon.property("Revision", Contract.routerInterface, at: router) == revision)
    #expect(try await daemon.delegate(child, 3, "note") == 5)
    try await daemon.end()
  }

  private func expectRefusals(_ daemon: TestDaemon, _ root: ObjectPath, _ router: ObjectPath, _ child: ObjectPath) async throws {
    let (none, routing) = (Value.vardict([:]), Contract.routerInterface)
    await expectError("Held") { try await daemon.delegate(root, 1, "note") }
    await expectError("Held") { try await daemon.delegate(child, 0, "note") }
    await expectError("Held") { try await daemon.dismiss(child) }
    await expectError("Held") {
      _ = try await daemon.call(root, Self.coordinator, "StartChild", [.string("notebook"), none, none])
    }
    await expectError("Held") { _ = try await daemon.call(router, routing, "Back", [.uint64(3), none]) }
    await expectError("Held") { _ = try await daemon.call(router, routing, "SaveDraft", [.uint64(3), none, none]) }
    await expectError("Held") { _ = try await daemon.outcome(root.appending("notebook_7")) }
    await expectError("UnknownObject") { try await daemon.delegate(root.appending("notebook_7"), 0, "note") }
    await expectError("InvalidArgs") { try await daemon.delegate(root, 1, "note", [:], ["nonsense": .string("")]) }
  }

  @Test("Rule 10: A held tree is found by its token though its flow is gone, and RunFlow waits for its end")
  func heldTreeIsFoundByToken() async throws {
    let (bus, root, _) = try await leftBehind()
    let daemon = try await TestDaemon(FlowCatalogue(), on: bus, isKept: true)
    #expect(try await daemon.property("Held", Self.coordinator, at: root) == .string("the flow notebook no longer exists"))
    #expect(try await daemon.start("notebook", [:], Self.token) == root)
    await expectError("TokenInUse") { _ = try await daemon.start("notebook", ["x": .string("y")], Self.token) }
    await expectError("UnknownFlow") { _ = try await daemon.start("notebook") }
    let other = try await daemon.anotherClient()
    async let end = daemon.run("notebook", [:], Self.token, by: other)
    // The tree is still active while the other client waits for its end.
    #expect(try await daemon.outcome(root) == "active")
    try await daemon.dismiss(root)
    #expect(try await end.outcome == "cancelled")
    #expect(try await daemon.run("notebook", [:], Self.token).outcome == "cancelled")
    try await daemon.end()
  }

  @Test("Rule 10: Dismissing the root of a held tree ends it for good, and request keys keep their answers")
  func dismissEndsHeldTree() async throws {
    let (bus, root, child) = try await leftBehind()
    var daemon = try await TestDaemon(.old(), on: bus, isKept: true)
    #expect(try await daemon.outcome(root) == "active")
    var signals = try await daemon.signals().makeAsyncIterator()
    let key: [String: Value] = ["request": .string("end")]
    let revision = try await daemon.dismiss(root, key)
    #expect(
      await signals.upTo("FlowEnded") == [
        "PropertiesChanged \(Contract.managerInterface) {ActiveFlows} []", "ChildEnded /flows/mine mine/notebook_1 cancelled",
        "InterfacesRemoved mine/notebook_1 [\(Self.coordinator)]", "InterfacesRemoved mine [\(Self.coordinator)]",
        "InterfacesRemoved mine/router [\(Contract.routerInterface)]", "FlowEnded mine notebook cancelled",
      ])
    for version in [FlowCatalogue.new, FlowCatalogue.old] {
      #expect(try await daemon.outcome(root) == "cancelled")
      #expect(try await daemon.manager("ListActive").first?.elements == [])
      #expect(try await daemon.dismiss(root, key) == revision)
      #expect(try await daemon.delegate(root, 1, "note", [:], ["request": .string("first")]) == 2)
      #expect(try await daemon.start("notebook", [:], Self.token) == root)
      await expectError("UnknownObject") { try await daemon.dismiss(child) }
      await expectError("UnknownObject") { try await daemon.dismiss(root) }
      try await daemon.end()
      daemon = try await TestDaemon(version(), on: bus, isKept: true)
    }
    try await daemon.end()
  }

  @Test("Rule 10: Concurrent dismissals of a held tree under one request key get the same answer")
  func concurrentDismissalsShareOneAnswer() async throws {
    let (bus, root, _) = try await leftBehind()
    let daemon = try await TestDaemon(.old(), on: bus, isKept: true)
    let answers = try await withThrowingTaskGroup(of: UInt64.self) { group in
      for _ in 0..<8 { group.addTask { try await daemon.dismiss(root, ["request": .string("end")]) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 8 && Set(answers).count == 1)
    try await daemon.end()
  }

  @Test("Rule 11: A held tree counts as an active flow")
  func heldTreeCountsAsFlow() async throws {
    let (bus, _, _) = try await leftBehind()
    var limits = DaemonLimits()
    limits.maxFlows = 1
    let daemon = try await TestDaemon(.old(), on: bus, isKept: true, limits: limits)
    await expectError("LimitsExceeded") { _ = try await daemon.start("notebook") }
    try await daemon.end()
  }

  @Test(
    "Rule 10: A held tree does not time out, and its caller's departure has no effect, until it is restored",
    arguments: [true, false])
  func heldTreeNeitherTimesOutNorLosesCaller(isTimeout: Bool) async throws {
    let bus = try PrivateBus()
    var root = StoredRoot(
      name: "notebook_1", sequence: 1, lastNumber: 1, flow: "notebook", digest: Digest(of: "notebook", "{}"), hasToken: false)
    if isTimeout { root.timeout = FlowTimeout(due: 1) } else { root.owner = .init(name: ":1.7", bus: "another one") }
    try await keep(root, on: bus)
    let path = try Contract.flowPath(root: "notebook_1")
    var daemon = try await TestDaemon(.old(), on: bus, isKept: true)
    #expect(try await daemon.outcome(path) == "active")
    // A retry must not set the timer of a tree that it cannot restore.
    for _ in 0..<3 { #expect(try await daemon.manager("RetryHeld") == [.uint32(0), .uint32(1)]) }
    #expect(try await daemon.outcome(path) == "active")
    try await daemon.end()
    daemon = try await TestDaemon(.new(), on: bus, isKept: true)
    // The tree is active for a moment, because it ends in an ordinary transition.
    var signals = try await daemon.signals().makeAsyncIterator()
    if try await daemon.outcome(path) == "active" { _ = await signals.upTo("FlowEnded") }
    #expect(try await daemon.outcome(path) == "cancelled")
    try await daemon.end()
  }

  /// Stores a tree of the newer version.
  private func keep(_ root: StoredRoot, on bus: PrivateBus) async throws {
    let journal = try Journal(JournalConfiguration(directory: TestDaemon.journal(on: bus), sync: .off))
    defer { journal.close() }
    let catalogue = try FlowCatalogue.new()
    _ = try await TestFlow.start("notebook", in: catalogue, root: root.name, store: journal.store(of: root, in: catalogue))
  }
}

extension Value {
  /// The keys of a dictionary; nil if the value is not one.
  fileprivate var dictionaryKeys: Set<Value>? {
    guard case .dictionary(_, _, let entries) = self else { return nil }
    return Set(entries.map(\.key))
  }
}
