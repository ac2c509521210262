import CoordinatorBus
import CoordinatorKit
import DBus
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Live values and timers on the bus", .timeLimit(.minutes(5)))
struct LiveAndTimerTests {
  private static let hour: UInt64 = 3_600_000_000
  private let air = Radio.Air()

  private func catalogue() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { [air] in Radio(air: air) }
    try catalogue.add { Helper() }
    return catalogue
  }

  private func items(_ screen: [String: Value]?) -> [String] {
    screen?["items"]?.elements?.compactMap { $0.vardict?["id"]?.string } ?? []
  }

  private func routerSignals(_ signals: SignalSequence) -> AsyncCompactMapSequence<SignalSequence, RouterSignal> {
    signals.compactMap { delivery in
      guard case .signal(let signal) = delivery else { return nil }
      return RouterSignal(member: signal.member, body: signal.body)
    }
  }

  @Test("The signal Live carries what changed, without a revision; reads return it, and answers are checked against it")
  func liveSignal() async throws {
    let daemon = try await TestDaemon(try catalogue())
    let root = try await daemon.start("radio")
    let router = try Contract.routerPath(of: root)
    let revision = try await daemon.property("Revision", Contract.routerInterface, at: router)
    let signals = try await daemon.client.signals(
      matching: MatchRule(type: .signal, path: router, interface: Contract.routerInterface))
    _ = try await daemon.call(router, Contract.routerInterface, "Attach", [.vardict([:])])
    air.find(["home", "guest"])
    let first = await routerSignals(signals).first { _ in true }
    guard case .live(1, let changed, let removed) = first else {
      Issue.record("\(String(describing: first)) is not Live")
      return
    }
    #expect(items(changed) == ["home", "guest"])
    #expect(changed.keys.sorted() == ["items"])
    #expect(removed == [])
    #expect(items(try await daemon.screens(root).first) == ["home", "guest"])
    #expect(try await daemon.property("Revision", Contract.routerInterface, at: router) == revision)
    await expectError("InvalidPayload") { try await daemon.delegate(root, 1, "select", ["id": .string("gone")]) }
    try await daemon.end()
  }

  @Test("A timer goes off by the wall clock, also if its time passed while the daemon was down")
  func timerSurvivesTheDaemon() async throws {
    let wall = TestWall()
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(try catalogue(), on: bus, isKept: true, clock: wall.clock)
    let root = try await daemon.start("radio")
    #expect(try await daemon.screens(root).first?["until"] == .uint64(TestWall.start + Self.hour))
    #expect(wall.alarms.last == TestWall.start + Self.hour)
    try await daemon.end()
    let later = TestWall(at: TestWall.start + 2 * Self.hour)
    daemon = try await TestDaemon(try catalogue(), on: bus, isKept: true, clock: later.clock)
    let signals = try await daemon.client.signals(
      matching: MatchRule(type: .signal, path: Contract.routerPath(of: root), interface: Contract.routerInterface))
    if try await daemon.screens(root).count == 1 {
      _ = await routerSignals(signals).first { if case .settled = $0 { true } else { false } }
    }
    #expect(try await daemon.screens(root).compactMap { $0["name"]?.string } == ["networks", "late"])
    try await daemon.end()
  }

  @Test("A singleton runs once at a time, under its token or without one")
  func singleton() async throws {
    let daemon = try await TestDaemon(try catalogue())
    let options: [String: Value] = ["token": .string("one")]
    let root = try await daemon.start("radio", [:], options)
    #expect(try await daemon.start("radio", [:], options) == root)
    await expectError("AlreadyRunning") { _ = try await daemon.start("radio") }
    await expectError("AlreadyRunning") { _ = try await daemon.start("radio", [:], ["token": .string("two")]) }
    try await daemon.dismiss(root)
    _ = try await daemon.start("radio")
    try await daemon.end()
  }

  @Test("An internal flow is not listed, and clients cannot start it")
  func internalFlow() async throws {
    let daemon = try await TestDaemon(try catalogue())
    let flows = try await daemon.manager("ListFlows").first?.elements?.compactMap { $0.vardict?["name"]?.string }
    #expect(flows == ["radio"])
    await expectError("Denied") { _ = try await daemon.start("helper") }
    let root = try await daemon.start("radio")
    await expectError("Denied") {
      _ = try await daemon.call(
        root, Contract.coordinatorInterface, "StartChild", [.string("helper"), .vardict([:]), .vardict([:])])
    }
    try await daemon.end()
  }

  @Test("Features lists what the daemon has beyond the first version of the contract")
  func features() async throws {
    let daemon = try await TestDaemon(try catalogue())
    let features = try await daemon.property("Features", Contract.managerInterface, at: Contract.rootPath)
    #expect(features.elements?.compactMap(\.string) == Contract.features)
    #expect(Contract.features == Contract.features.sorted())
    try await daemon.end()
  }
}
