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

  /// Waits until the timer of the radio has fired.
  private func isLate(_ root: ObjectPath, _ daemon: TestDaemon) async throws {
    let signals = try await daemon.client.signals(
      matching: MatchRule(type: .signal, path: Contract.routerPath(of: root), interface: Contract.routerInterface))
    if try await daemon.screens(root).count == 1 {
      _ = await routerSignals(signals).first { if case .settled = $0 { true } else { false } }
    }
    #expect(try await names(root, daemon) == ["networks", "late"])
  }

  private func names(_ root: ObjectPath, _ daemon: TestDaemon) async throws -> [String] {
    try await daemon.screens(root).compactMap { $0["name"]?.string }
  }

  @Test("A timer goes off also if its time passed while the daemon was down, or the machine was off", arguments: [false, true])
  func timerSurvivesTheDaemon(isOff: Bool) async throws {
    let clocks = TestClocks()
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(try catalogue(), on: bus, isKept: true, clock: clocks.clock)
    let root = try await daemon.start("radio")
    #expect(try await daemon.screens(root).first?["until"] == .uint64(TestClocks.start + Self.hour))
    #expect(clocks.alarms(by: .elapsed).contains(TestClocks.uptime + Self.hour))
    try await daemon.end()
    clocks.forgetAlarms()
    if isOff { clocks.restart(at: TestClocks.start + 2 * Self.hour) } else { clocks.pass(2 * Self.hour) }
    daemon = try await TestDaemon(try catalogue(), on: bus, isKept: true, clock: clocks.clock)
    try await isLate(root, daemon)
    try await daemon.end()
  }

  @Test("A timer of a duration goes off after it, however the clock is set, and however often the daemon restarts")
  func timerOfDuration() async throws {
    let clocks = TestClocks()
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(try catalogue(), on: bus, isKept: true, clock: clocks.clock)
    let root = try await daemon.start("radio")
    for wall in [TestClocks.start - 2 * Self.hour, TestClocks.start + 100_000 * Self.hour, TestClocks.start - 9_000 * Self.hour] {
      clocks.pass(Self.hour / 4)
      clocks.set(wall)
      #expect(try await names(root, daemon) == ["networks"])
      try await daemon.end()
      clocks.forgetAlarms()
      daemon = try await TestDaemon(try catalogue(), on: bus, isKept: true, clock: clocks.clock)
    }
    #expect(try await names(root, daemon) == ["networks"])
    clocks.pass(Self.hour / 4 - 1)
    #expect(try await names(root, daemon) == ["networks"])
    clocks.pass(1)
    try await isLate(root, daemon)
    try await daemon.end()
  }

  @Test("A screen that counts a duration down gives its end on the monotonic clock, in each start of the machine")
  func countdownOfDuration() async throws {
    let clocks = TestClocks()
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(try catalogue(), on: bus, isKept: true, clock: clocks.clock)
    let root = try await daemon.start("radio")
    #expect(try await daemon.screens(root).first?["elapses"] == .uint64(TestClocks.uptime + Self.hour))
    clocks.pass(Self.hour / 4)
    clocks.set(TestClocks.start - 9_000 * Self.hour)
    #expect(try await daemon.screens(root).first?["elapses"] == .uint64(TestClocks.uptime + Self.hour))
    try await daemon.end()
    clocks.restart(at: TestClocks.start - 9_000 * Self.hour)
    daemon = try await TestDaemon(try catalogue(), on: bus, isKept: true, clock: clocks.clock)
    // A quarter of the time has passed; the time before the daemon was started counts as well.
    #expect(try await daemon.screens(root).first?["elapses"] == .uint64(Self.hour * 3 / 4))
    #expect(try await daemon.screens(root).first?["until"] == .uint64(TestClocks.start + Self.hour))
    try await daemon.end()
  }

  @Test("A provider's timer follows the wall clock if it is a time, and not if it is a duration", arguments: [false, true])
  func providedTimer(isDuration: Bool) async throws {
    let clocks = TestClocks()
    let daemon = try await TestDaemon(FlowCatalogue(), clock: clocks.clock)
    let due = TestClocks.start + Self.hour
    let provider = TestProvider(try await daemon.anotherClient()) { question throws(DBusError) in
      guard question.kind == "start" else { return .answer("rung") }
      var timer: [String: Value] = ["key": .string("bell"), "at": .uint64(due)]
      if isDuration { timer["after"] = .uint64(Self.hour) }
      return .answer(
        "", do: [.op("present", ["key": .string("menu")]), .op("timer", timer)],
        screens: ["menu": .screen("menu", "menu", "Menu", actions: ["go": "Go"])])
    }
    try await provider.serve(.flow("menu"))
    let root = try await daemon.start("menu")
    clocks.set(TestClocks.start - Self.hour)
    clocks.pass(Self.hour)
    if isDuration {
      try await provider.asked(2)
    } else {
      // The daemon handles an alarm that has rung before it answers this call, on the same loop.
      #expect(try await daemon.outcome(root) == "active")
      #expect(provider.questions.count == 1)
      clocks.set(due)
      try await provider.asked(2)
    }
    #expect(provider.questions.last?.kind == "timer")
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
