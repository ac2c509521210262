import CoordinatorBus
import DBus
import Testing

@Suite("Flow lifetimes and outcomes", .timeLimit(.minutes(5)))
struct LifetimeTests {
  @Test("RunFlow answers when its flow ends, with the flow's result")
  func runFlowReturnsResultAtEnd() async throws {
    let daemon = try await TestDaemon()
    var signals = try await daemon.signals().makeAsyncIterator()
    let running = Task { try await daemon.run("schedule-visit", [:], ["token": .string("visit")]) }
    _ = await signals.upTo("Settled")
    let root = try Contract.flowPath(root: "visit")
    try await daemon.delegate(root, 1, "sick")
    try await daemon.delegate(root, 2, "little")
    try await daemon.delegate(root, 3, "is-fake")
    let end = try await running.value
    #expect(end.outcome == "finished")
    #expect(end.result == ["visit": .string("sick"), "pain": .string("little"), "faked": .boolean(true)])
    try await daemon.end()
  }

  @Test("Rule 2: Handlers run on the loop's thread, and work runs on another one")
  func handlersRunOnLoopAndWorkElsewhere() async throws {
    let daemon = try await TestDaemon()
    var signals = try await daemon.signals().makeAsyncIterator()
    let running = Task { try await daemon.run("lab", [:], ["token": .string("lab")]) }
    _ = await signals.upTo("Settled")
    try await daemon.delegate(try Contract.flowPath(root: "lab"), 1, "threads")
    let result = try await running.value.result
    #expect(result["handler"]?.string == "dbus-loop")
    #expect(result["work"]?.string != nil)
    #expect(result["work"]?.string != "dbus-loop")
    try await daemon.end()
  }

  @Test("A failed flow is an outcome of RunFlow, not an error")
  func failedFlowIsAnOutcomeOfRunFlow() async throws {
    let daemon = try await TestDaemon()
    var signals = try await daemon.signals().makeAsyncIterator()
    let running = Task { try await daemon.run("lab", [:], ["token": .string("lab")]) }
    _ = await signals.upTo("Settled")
    await expectError("FlowFailed") { try await daemon.delegate(try Contract.flowPath(root: "lab"), 1, "break") }
    let end = try await running.value
    #expect(end.outcome == "failed")
    #expect(end.result == ["code": .string("broken"), "message": .string("it broke")])
    try await daemon.end()
  }

  @Test("A flow with lifetime 'caller' is dismissed when its caller leaves the bus, and other flows stay active")
  func callerLifetimeEndsWithItsClient() async throws {
    let daemon = try await TestDaemon()
    let caller = try await daemon.anotherClient()
    let root = try await daemon.start("pets", [:], ["lifetime": .string("caller")], by: caller)
    let other = try await daemon.start("pets", by: caller)
    var signals = try await daemon.signals().makeAsyncIterator()
    await caller.close()
    #expect(await signals.upTo("FlowEnded").last == "FlowEnded \(root.elements.last ?? "") pets cancelled")
    #expect(try await daemon.outcome(root) == "cancelled")
    #expect(try await daemon.outcome(other) == "active")
    try await daemon.end()
  }

  @Test("A flow whose timeout has passed is dismissed with the reason 'timeout'")
  func timedOutFlowIsDismissed() async throws {
    let daemon = try await TestDaemon()
    var signals = try await daemon.signals().makeAsyncIterator()
    let root = try await daemon.start("pets", [:], ["timeout": .uint64(50_000), "token": .string("short")])
    let told = await signals.upTo("FlowEnded")
    #expect(told.contains("Dismissed /flows/short/router 2 1 timeout true"))
    #expect(try await daemon.outcome(root) == "cancelled")
    await expectError("InvalidArgs") { _ = try await daemon.start("pets", [:], ["timeout": .uint64(0)]) }
    _ = try await daemon.start("pets", [:], ["timeout": .uint64(.max)])
    try await daemon.end()
  }

  @Test("A renderer counts once however often it attaches, and is forgotten when it leaves the bus")
  func rendererCountsOnceUntilItLeaves() async throws {
    let daemon = try await TestDaemon()
    let roots = [try await daemon.start("pets"), try await daemon.start("lab")]
    let renderer = try await daemon.anotherClient()
    for root in roots + roots {
      let reply = try await daemon.call(
        Contract.routerPath(of: root), Contract.routerInterface, "Attach", [.vardict(["kind": .string("test")])], by: renderer)
      #expect(reply.first == .uint64(1))
      #expect(reply.last?.elements?.count == 1)
    }
    #expect(try await renderers(daemon) == 1)
    _ = try await daemon.call(Contract.routerPath(of: roots[0]), Contract.routerInterface, "Detach", [], by: renderer)
    _ = try await daemon.call(Contract.routerPath(of: roots[0]), Contract.routerInterface, "Detach", [])
    #expect(try await renderers(daemon) == 1)
    var signals = try await daemon.signals().makeAsyncIterator()
    await renderer.close()
    let told = await signals.upTo { $0.body.first?.string == Contract.managerInterface }
    #expect(told.last == "PropertiesChanged \(Contract.managerInterface) {Renderers} []")
    #expect(told.dropLast().contains { $0.hasSuffix("\(Contract.routerInterface) {Renderers} []") })
    #expect(try await renderers(daemon) == 0)
    #expect(try await daemon.screens(roots[1]).count == 1)
    try await daemon.end()
  }

  @Test("Outcomes of children are known while their tree lives, and outcomes of roots afterwards too")
  func childOutcomesLiveWithTheirTree() async throws {
    let daemon = try await TestDaemon()
    let root = try await daemon.start("lab")
    try await daemon.delegate(root, 1, "child")
    let child = try root.appending("lab_1")
    #expect(try await daemon.outcome(child) == "active")
    try await daemon.delegate(child, 2, "finish")
    #expect(try await daemon.outcome(child) == "finished")
    try await daemon.dismiss(root)
    await expectError("UnknownObject") { _ = try await daemon.outcome(child) }
    #expect(try await daemon.outcome(root) == "cancelled")
    await expectError("UnknownObject") { _ = try await daemon.outcome(Contract.routerPath(of: root)) }
    await expectError("UnknownObject") { _ = try await daemon.outcome(.root) }
    try await daemon.end()
  }

  @Test("When the daemon ends, it ends every flow, newest first, and announces each end")
  func endingDaemonEndsFlowsNewestFirst() async throws {
    let daemon = try await TestDaemon()
    _ = try await daemon.start("pets")
    _ = try await daemon.start("lab")
    var signals = try await daemon.signals().makeAsyncIterator()
    try await daemon.end()
    let ended = await [signals.upTo("FlowEnded").last, signals.upTo("FlowEnded").last]
    #expect(ended == ["FlowEnded lab_2 lab cancelled", "FlowEnded pets_1 pets cancelled"])
  }

  private func renderers(_ daemon: TestDaemon) async throws -> Int64? {
    try await daemon.property("Renderers", Contract.managerInterface, at: Contract.rootPath).integer
  }
}
