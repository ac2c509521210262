import CoordinatorBus
import DBus
import Testing

@Suite("Tokens and request keys: calls that are safe to repeat", .timeLimit(.minutes(5)))
struct TokenTests {
  @Test("the same token with the same flow and input answers with the same coordinator, live or ended")
  func sameToken() async throws {
    let daemon = try await TestDaemon()
    let options: [String: Value] = ["token": .string("mine")]
    let first = try await daemon.start("lab", ["count": .int32(3)], options)
    #expect(first.string.hasSuffix("/flows/mine"))
    #expect(try await daemon.start("lab", ["count": .uint64(3)], options) == first)
    #expect(try await daemon.start("lab", ["count": .double(3)], options) == first)
    try await daemon.dismiss(first)
    #expect(try await daemon.start("lab", ["count": .int32(3)], options) == first)
    #expect(try await daemon.outcome(first) == "cancelled")
    #expect(try await daemon.run("lab", ["count": .int32(3)], options).outcome == "cancelled")
    try await daemon.end()
  }

  @Test("a token belongs to one flow and one input")
  func tokenInUse() async throws {
    let daemon = try await TestDaemon()
    let options: [String: Value] = ["token": .string("mine")]
    _ = try await daemon.start("lab", [:], options)
    await expectError("TokenInUse") { _ = try await daemon.start("pets", [:], options) }
    await expectError("TokenInUse") { _ = try await daemon.start("lab", ["count": .int32(1)], options) }
    try await daemon.end()
  }

  @Test("a flow that was started without a token cannot be caught by one")
  func anonymousFlow() async throws {
    let daemon = try await TestDaemon()
    let path = try await daemon.start("pets")
    let options: [String: Value] = ["token": .string("pets_1")]
    await expectError("TokenInUse") { _ = try await daemon.start("pets", [:], options) }
    try await daemon.dismiss(path)
    await expectError("TokenInUse") { _ = try await daemon.start("pets", [:], options) }
    try await daemon.end()
  }

  @Test("a request key does not make a call possible where there is no object, or with other arguments")
  func keyedCallElsewhere() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("schedule-visit")
    try await daemon.delegate(root, 1, "sick")
    let key = Value.vardict(["request": .string("k")])
    let router = Contract.routerInterface
    await expectError("UnknownObject") {
      _ = try await daemon.call(root.appending("nope"), router, "Back", [.uint64(2), key])
    }
    await expectError("UnknownInterface") { _ = try await daemon.call(root, router, "Back", [.uint64(2), key]) }
    await expectError("InvalidArgs") {
      _ = try await daemon.call(Contract.routerPath(of: root), router, "Back", [.uint64(2), .int32(1), key])
    }
    #expect(try await daemon.screens(root).count == 2)
    try await daemon.end()
  }

  @Test("two who start with one token at once get one coordinator")
  func raceForAToken() async throws {
    let daemon = try await TestDaemon()
    let paths = try await withThrowingTaskGroup(of: ObjectPath.self) { group in
      for _ in 0..<50 { group.addTask { try await daemon.start("pets", [:], ["token": .string("one")]) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(paths.count == 1)
    #expect(try await daemon.property("ActiveFlows", Contract.managerInterface, at: Contract.rootPath) == .uint32(1))
    try await daemon.end()
  }

  @Test("a flow's number skips a token that is taken, and is never used twice")
  func numbers() async throws {
    let daemon = try await TestDaemon()
    _ = try await daemon.start("pets", [:], ["token": .string("pets_2")])
    let first = try await daemon.start("pets")
    let second = try await daemon.start("pets")
    #expect([first, second].map { $0.elements.last } == ["pets_1", "pets_3"])
    try await daemon.dismiss(second)
    #expect(try await daemon.start("lab").elements.last == "lab_4")
    try await daemon.end()
  }

  @Test("a start that fails leaves no path, no outcome and no token behind")
  func failedStart() async throws {
    let daemon = try await TestDaemon()
    let options: [String: Value] = ["token": .string("mine")]
    await expectError("FlowFailed") { _ = try await daemon.start("lab", ["mode": .string("broken")], options) }
    await expectError("FlowFailed") { _ = try await daemon.start("lab", ["mode": .string("empty")], options) }
    let path = try Contract.flowPath(root: "mine")
    await expectError("UnknownObject") { _ = try await daemon.outcome(path) }
    #expect(try await daemon.start("pets", [:], options) == path)
    try await daemon.end()
  }

  @Test("the same request again answers as the first time, and does nothing")
  func sameRequest() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab")
    let options: [String: Value] = ["request": .string("r-1")]
    #expect(try await daemon.delegate(root, 1, "count", [:], options) == 2)
    #expect(try await daemon.delegate(root, 1, "count", [:], options) == 2)
    #expect(try await daemon.screens(root).first?["body"] == .string("1"))
    await expectError("InvalidArgs") { try await daemon.delegate(root, 1, "same", [:], options) }
    await expectError("InvalidArgs") { try await daemon.dismiss(root, options) }
    try await daemon.end()
  }

  @Test("a request is answered as the first time also when its object is gone")
  func requestAfterTheEnd() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab")
    let options: [String: Value] = ["request": .string("end")]
    let revision = try await daemon.dismiss(root, options)
    #expect(try await daemon.dismiss(root, options) == revision)
    await expectError("UnknownObject") { try await daemon.dismiss(root, ["request": .string("other")]) }
    await expectError("UnknownObject") { try await daemon.dismiss(root) }
    try await daemon.end()
  }

  @Test("a failure is kept with its request, a refusal is not")
  func keptAnswers() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab")
    let options: [String: Value] = ["request": .string("r")]
    await expectError("Denied") { try await daemon.delegate(root, 1, "refuse", [:], options) }
    #expect(try await daemon.delegate(root, 1, "count", [:], options) == 2)
    let failing: [String: Value] = ["request": .string("f")]
    await expectError("FlowFailed") { try await daemon.delegate(root, 1, "break", [:], failing) }
    await expectError("FlowFailed") { try await daemon.delegate(root, 1, "break", [:], failing) }
    await expectError("UnknownObject") { try await daemon.delegate(root, 1, "break") }
    try await daemon.end()
  }

  @Test("of each tree the newest 64 requests are kept")
  func newestRequests() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab")
    for number in 0..<65 { try await daemon.delegate(root, 1, "count", [:], ["request": .string("r\(number)")]) }
    #expect(try await daemon.delegate(root, 1, "count", [:], ["request": .string("r1")]) == 3)
    #expect(try await daemon.delegate(root, 1, "count", [:], ["request": .string("r0")]) == 67)
    try await daemon.end()
  }
}
