import CoordinatorBus
import CoordinatorDaemon
import DBus
import Testing

@Suite("Rules 7 and 11: Refused input changes nothing", .timeLimit(.minutes(5)))
struct RefusalTests {
  @Test("Rule 7: Every kind of wrong call has its own error and leaves the tree unchanged")
  func everyWrongCallHasItsOwnError() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab", ["mode": .string("form")])
    let before = try await daemon.screens(root)
    await expectError("UnknownFlow") { _ = try await daemon.start("nothing") }
    await expectError("InvalidInput") { _ = try await daemon.start("lab", ["mode": .string("odd")]) }
    await expectError("InvalidInput") { _ = try await daemon.start("lab", ["typo": .int32(1)]) }
    await expectError("InvalidArgs") { _ = try await daemon.start("lab", [:], ["typo": .int32(1)]) }
    await expectError("InvalidArgs") { _ = try await daemon.start("lab", [:], ["token": .string("no-dash")]) }
    await expectError("InvalidArgs") { _ = try await daemon.start("lab", ["count": .double(.nan)]) }
    await expectError("UnknownScreen") { try await daemon.delegate(root, 99, "submit") }
    await expectError("UnknownScreen") { try await daemon.delegate(root, .max, "submit") }
    await expectError("UnknownEvent") { try await daemon.delegate(root, 1, "other") }
    await expectError("UnknownEvent") { try await daemon.delegate(root, 0, "no-such-event") }
    await expectError("InvalidPayload") { try await daemon.delegate(root, 1, "submit") }
    await expectError("InvalidPayload") { try await daemon.delegate(root, 1, "cancel", ["x": .int32(1)]) }
    await expectError("InvalidArgs") { try await daemon.delegate(root, 1, "cancel", [:], ["seen": .string("x")]) }
    await expectError("UnknownObject") { try await daemon.delegate(root.appending("lab_9"), 1, "cancel") }
    await expectError("UnknownFlow") {
      _ = try await daemon.call(
        root, Contract.coordinatorInterface, "StartChild", [.string("nothing"), .vardict([:]), .vardict([:])])
    }
    #expect(try await daemon.screens(root) == before)
    #expect(try await daemon.property("Revision", Contract.routerInterface, at: Contract.routerPath(of: root)) == .uint64(1))
    try await daemon.end()
  }

  @Test("Rule 7: The error for an invalid payload names each field and reveals no secret value")
  func invalidPayloadNamesFieldsNotSecrets() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab", ["mode": .string("form")])
    do {
      let secret = String(repeating: "swordfish", count: 9)
      try await daemon.delegate(root, 1, "submit", ["name": .string(""), "password": .string(secret), "odd": .int32(1)])
      Issue.record("it was accepted")
    } catch let error as DBusError {
      #expect(ContractError(error)?.reasons.keys.sorted() == ["name", "odd", "password"])
      #expect(!"\(error)".contains("swordfish"))
    }
    try await daemon.end()
  }

  @Test("Rule 7: Any integer type, dictionaries of type a{ss}, and nested variants are accepted")
  func lenientTypesAreAccepted() async throws {
    let daemon = try await TestDaemon()
    let nested = Value.variant(.variant(.byte(7)))
    _ = try await daemon.start("lab", ["count": nested])
    let texts = Value.dictionary(
      key: .string, value: .string, [DictionaryEntry(key: .string("mode"), value: .string("form"))])
    _ = try await daemon.manager("StartFlow", [.string("lab"), texts, .vardict([:])])
    #expect(try await daemon.property("ActiveFlows", Contract.managerInterface, at: Contract.rootPath) == .uint32(2))
    try await daemon.end()
  }

  @Test("Rule 11: Every limit is a property, and exceeding one throws LimitsExceeded")
  func limitsArePropertiesAndEnforced() async throws {
    var limits = DaemonLimits()
    limits.maxFlows = 3
    limits.maxFlowsPerClient = 2
    limits.maxDepth = 2
    limits.maxPayload = 1_000
    limits.maxOutcomes = 1
    let daemon = try await TestDaemon(limits: limits)
    for (name, value) in [("MaxFlows", 3), ("MaxFlowsPerClient", 2), ("MaxDepth", 2), ("MaxPayload", 1_000), ("MaxOutcomes", 1)] {
      #expect(try await daemon.property(name, Contract.managerInterface, at: Contract.rootPath).integer == Int64(value))
    }
    let root = try await daemon.start("lab")
    let second = try await daemon.start("lab")
    await expectError("LimitsExceeded") { _ = try await daemon.start("lab") }
    let other = try await daemon.anotherClient()
    _ = try await daemon.start("lab", by: other)
    await expectError("LimitsExceeded") { _ = try await daemon.start("lab", by: other) }
    try await daemon.delegate(root, 1, "child")
    await expectError("LimitsExceeded") { try await daemon.delegate(root.appending("lab_1"), 2, "child") }
    let large = ["name": Value.string(String(repeating: "x", count: 1_000))]
    await expectError("LimitsExceeded") { try await daemon.delegate(root, 0, "count", large) }
    var deep = Value.vardict([:])
    for _ in 0..<9 { deep = .vardict(["d": deep]) }
    await expectError("LimitsExceeded") { try await daemon.delegate(root, 0, "count", ["d": deep]) }
    try await daemon.dismiss(root)
    try await daemon.dismiss(second)
    await expectError("UnknownObject") { _ = try await daemon.outcome(root) }
    #expect(try await daemon.outcome(second) == "cancelled")
    try await daemon.end()
  }

  @Test("Rule 2: A handler that does not return fails its tree without disturbing other trees")
  func endlessHandlerFailsOnlyItsTree() async throws {
    let daemon = try await TestDaemon(handlerDeadline: .seconds(1))
    // If the test fails, no handler may keep spinning.
    defer { daemon.spinner.release() }
    let stuck = try await daemon.start("lab")
    let other = try await daemon.start("lab")
    var signals = try await daemon.signals().makeAsyncIterator()
    let spinning = Task { try await daemon.delegate(stuck, 1, "spin") }
    for _ in 0..<20 { try await daemon.delegate(other, 1, "count") }
    _ = await signals.upTo { $0.member == "FlowEnded" }
    await expectError("FlowFailed") { _ = try await spinning.value }
    #expect(try await daemon.outcome(stuck) == "failed")
    try await daemon.delegate(other, 1, "count")
    daemon.spinner.release()
    try await daemon.delegate(other, 1, "count")
    #expect(try await daemon.outcome(stuck) == "failed")
    try await daemon.end()
  }
}
