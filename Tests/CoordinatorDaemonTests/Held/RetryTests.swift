import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Rule 10: Retries of held trees", .timeLimit(.minutes(5)))
struct RetryTests {
  @Test("Rule 10: RetryHeld restores the trees that can be restored now, and attached renderers see it")
  func retryHeldRestoresTreeForRenderers() async throws {
    NewNotebook.canMigrate.withLock { $0 = false }
    let first = try await TestDaemon(.old(), isKept: true)
    let root = try await first.start("notebook", [:], ["token": .string("mine")])
    try await first.delegate(root, 1, "note")
    try await first.end()

    let daemon = try await TestDaemon(.new(), on: first.bus, isKept: true)
    let mirror = try await WindowMirror.attach(to: root, of: DaemonClient(connection: daemon.client), kind: "test")
    var events = mirror.events.makeAsyncIterator()
    let reason = "it was stored by version 1 of the flow notebook, and version 2 has no migration from that version"
    #expect(try await events.next() == .window(MirroredWindow(revision: 2, screens: [], held: reason)))
    let other = try await daemon.anotherClient()
    async let end = daemon.run("notebook", [:], ["token": .string("mine")], by: other)
    #expect(try await daemon.manager("RetryHeld") == [.uint32(0), .uint32(1)])

    NewNotebook.canMigrate.withLock { $0 = true }
    var signals = try await daemon.signals().makeAsyncIterator()
    #expect(try await daemon.manager("RetryHeld") == [.uint32(1), .uint32(0)])
    #expect(
      await signals.upTo("PropertiesChanged") == ["PropertiesChanged /flows/mine \(Contract.coordinatorInterface) {Held} []"])
    guard case .window(let window)? = try await events.next() else {
      Issue.record("no window")
      return
    }
    #expect(window.held == nil)
    #expect(window.revision == 2)
    #expect(window.top?.screen.title == "Notes: 1")
    #expect(try await daemon.property("Renderers", Contract.managerInterface, at: Contract.rootPath) == .uint32(1))
    #expect(try await daemon.delegate(root, 1, "note") == 3)
    try await daemon.dismiss(root)
    #expect(try await end.outcome == "cancelled")
    await mirror.close()
    try await daemon.end()
  }

  @Test("Rule 10: RetryHeld answers every concurrent caller even if nothing is held or stored")
  func retryHeldAnswersWithoutHeldTrees() async throws {
    let daemon = try await TestDaemon()
    let answers = try await withThrowingTaskGroup(of: [Value].self) { group in
      for _ in 0..<10 { group.addTask { try await daemon.manager("RetryHeld") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == Array(repeating: [.uint32(0), .uint32(0)], count: 10))
    try await daemon.end()
  }

  @Test("Rule 10: Retry requests that arrive during a retry are answered by the next one")
  func requestsDuringRetryJoinTheNext() {
    var line = RetryLine<Int>()
    #expect(line.add(1) == true)
    #expect(line.next() == [1])
    #expect(line.add(2) == false)
    #expect(line.add(3) == false)
    #expect(line.next() == [2, 3])
    #expect(line.next().isEmpty)
    #expect(line.add(4) == true)
  }
}
