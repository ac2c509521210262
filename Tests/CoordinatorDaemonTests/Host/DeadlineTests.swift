import CoordinatorBus
import CoordinatorKit
import DBus
import Foundation
import Platform
import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("Timeouts of flows, and the clocks", .timeLimit(.minutes(5)))
struct DeadlineTests {
  private static let minute: UInt64 = 60_000_000
  private static let hour: UInt64 = 60 * minute
  private static let year: UInt64 = 365 * 24 * hour
  private let clocks = TestClocks()

  private func start(_ daemon: TestDaemon, after timeout: UInt64 = hour) async throws -> ObjectPath {
    try await daemon.start("pets", [:], ["timeout": .uint64(timeout)])
  }

  /// Advances the time to one microsecond before the end, and then by that microsecond.
  private func expectEnd(of root: ObjectPath, after time: UInt64, _ daemon: TestDaemon) async throws {
    var signals = try await daemon.signals().makeAsyncIterator()
    // After a restart, the flow has been restored when this call is answered.
    #expect(try await daemon.outcome(root) == "active")
    clocks.pass(time - 1)
    // The daemon handles an alarm that has rung before it answers this call, on the same loop.
    #expect(try await daemon.outcome(root) == "active")
    clocks.pass(1)
    #expect(await signals.upTo("FlowEnded").last == "FlowEnded pets_1 pets cancelled")
    #expect(try await daemon.outcome(root) == "cancelled")
  }

  @Test("A flow times out after its duration, however little of it the machine was awake")
  func timeoutCountsWhileMachineSleeps() async throws {
    let daemon = try await TestDaemon(clock: clocks.clock)
    let root = try await start(daemon)
    #expect(clocks.alarms(by: .elapsed) == [TestClocks.uptime + Self.hour])
    #expect(clocks.alarms(by: .wall).isEmpty)
    try await expectEnd(of: root, after: Self.hour, daemon)
    try await daemon.end()
  }

  @Test(
    "A timeout neither grows nor shrinks when the clock is set",
    arguments: [-Int64(2 * Self.hour), -Int64(40 * Self.year), Int64(3 * Self.year)])
  func clockIsSet(by change: Int64) async throws {
    let daemon = try await TestDaemon(clock: clocks.clock)
    let root = try await start(daemon)
    clocks.set(UInt64(Int64(TestClocks.start) + change))
    try await expectEnd(of: root, after: Self.hour, daemon)
    try await daemon.end()
  }

  @Test("If an alarm goes off too early, no flow ends before its time")
  func earlyAlarmEndsNothing() async throws {
    let daemon = try await TestDaemon(clock: clocks.clock)
    let root = try await start(daemon)
    clocks.ring(.elapsed)
    #expect(try await daemon.outcome(root) == "active")
    #expect(clocks.alarms(by: .elapsed).last == TestClocks.uptime + Self.hour)
    try await expectEnd(of: root, after: Self.hour, daemon)
    try await daemon.end()
  }

  @Test("Restarts of the daemon, with the clock set between them, do not change when a flow times out")
  func daemonRestarts() async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(on: bus, clock: clocks.clock)
    let root = try await start(daemon)
    clocks.pass(30 * Self.minute)
    for wall in [TestClocks.start - 2 * Self.hour, TestClocks.start + 10 * Self.year, TestClocks.start - Self.year] {
      try await daemon.end()
      clocks.forgetAlarms()
      clocks.set(wall)
      daemon = try await TestDaemon(on: bus, clock: clocks.clock)
      #expect(try await daemon.outcome(root) == "active")
      clocks.pass(5 * Self.minute)
    }
    try await expectEnd(of: root, after: 15 * Self.minute, daemon)
    try await daemon.end()
  }

  @Test("After another start of the machine, the wall clock determines the rest of a timeout")
  func machineRestarts() async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(on: bus, clock: clocks.clock)
    let root = try await start(daemon)
    clocks.pass(10 * Self.minute)
    try await daemon.end()
    clocks.restart(at: TestClocks.start + 30 * Self.minute)
    daemon = try await TestDaemon(on: bus, clock: clocks.clock)
    try await expectEnd(of: root, after: 30 * Self.minute, daemon)
    try await daemon.end()
  }

  @Test(
    "After another start of the machine with a wrong clock, a timeout takes no longer than its duration",
    arguments: [1, 2, 3])
  func machineRestartsWithWrongClock(daemons: Int) async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(on: bus, clock: clocks.clock)
    let root = try await start(daemon)
    clocks.pass(10 * Self.minute)
    try await daemon.end()
    clocks.restart(at: TestClocks.start - Self.year)
    daemon = try await TestDaemon(on: bus, clock: clocks.clock)
    // The clock is corrected, and set back again, and the daemon is restarted.
    for number in 1..<daemons {
      #expect(try await daemon.outcome(root) == "active")
      clocks.pass(10 * Self.minute)
      try await daemon.end()
      clocks.forgetAlarms()
      clocks.set(TestClocks.start - UInt64(number % 2) * 2 * Self.year)
      daemon = try await TestDaemon(on: bus, clock: clocks.clock)
    }
    // The machine had run for ten minutes before the flow's start, and ran for another second before the first daemon.
    try await expectEnd(of: root, after: (60 - UInt64(daemons) * 10) * Self.minute - TestClocks.boot, daemon)
    try await daemon.end()
  }

  @Test(
    "Over several starts of the machine, a timeout takes no longer than its duration, and a correct clock determines the rest",
    arguments: [
      // The wall clock after two boots, in minutes since the flow was started, and the time left after the second.
      ([-525_600, -525_600], 25), ([-525_600, -2], 25), ([40, -525_600], 25), ([30, 50], 10), ([-525_600, 50], 10),
      ([40, 50], 10), ([30, 35], 25), ([30, 36], 24),
    ] as [([Int64], UInt64)])
  func machineRestartsSeveralTimes(clock: [Int64], left: UInt64) async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(on: bus, clock: clocks.clock)
    let root = try await start(daemon)
    clocks.pass(20 * Self.minute)
    for (number, minutes) in clock.enumerated() {
      try await daemon.end()
      clocks.restart(at: UInt64(Int64(TestClocks.start) + minutes * Int64(Self.minute)))
      daemon = try await TestDaemon(on: bus, clock: clocks.clock)
      #expect(try await daemon.outcome(root) == "active")
      if number == 0 { clocks.pass(15 * Self.minute) }
    }
    // The time before the daemons start counts as well.
    try await expectEnd(of: root, after: left == 25 ? left * Self.minute - 2 * TestClocks.boot : left * Self.minute, daemon)
    try await daemon.end()
  }

  @Test("If the power fails, what the machine has run counts, but for the last ten minutes at most")
  func powerFails() async throws {
    let (old, new) = (try PrivateBus(), try PrivateBus())
    var daemon = try await TestDaemon(on: old, clock: clocks.clock)
    let root = try await start(daemon)
    clocks.pass(25 * Self.minute)
    // The clock values noted then are stored before this flow is.
    _ = try await daemon.start("pets")
    try FileManager.default.copyItem(atPath: TestDaemon.journal(on: old), toPath: TestDaemon.journal(on: new))
    clocks.pass(9 * Self.minute)
    try await daemon.end()
    clocks.restart(at: TestClocks.start - Self.year)
    daemon = try await TestDaemon(on: new, clock: clocks.clock)
    try await expectEnd(of: root, after: 35 * Self.minute - TestClocks.boot, daemon)
    try await daemon.end()
  }

  @Test("The journal notes the time every ten minutes while a longer duration waits, and does not wake up otherwise")
  func notesTime() async throws {
    let daemon = try await TestDaemon(on: try PrivateBus(), clock: clocks.clock)
    let short = try await start(daemon, after: Deadlines.noteInterval)
    #expect(clocks.alarms(by: .elapsed) == [TestClocks.uptime + Deadlines.noteInterval])
    try await daemon.dismiss(short)
    let long = try await start(daemon)
    for count in 1...2 as ClosedRange<UInt64> {
      #expect(clocks.alarms(by: .elapsed).last == TestClocks.uptime + count * Deadlines.noteInterval)
      clocks.pass(Deadlines.noteInterval)
      #expect(try await daemon.outcome(long) == "active")
    }
    try await daemon.dismiss(long)
    clocks.pass(Deadlines.noteInterval)
    let count = clocks.alarms(by: .elapsed).count
    #expect(try await daemon.outcome(long) == "cancelled")
    #expect(clocks.alarms(by: .elapsed).count == count)
    try await daemon.end()
  }

  @Test("A flow whose time was up while the machine was off ends when the daemon is back")
  func timeIsUpWhileOff() async throws {
    let bus = try PrivateBus()
    var daemon = try await TestDaemon(on: bus, clock: clocks.clock)
    let root = try await start(daemon)
    try await daemon.end()
    clocks.restart(at: TestClocks.start + 2 * Self.hour)
    daemon = try await TestDaemon(on: bus, clock: clocks.clock)
    var signals = try await daemon.signals().makeAsyncIterator()
    if try await daemon.outcome(root) == "active" { _ = await signals.upTo("FlowEnded") }
    #expect(try await daemon.outcome(root) == "cancelled")
    try await daemon.end()
  }

  @Test("One alarm serves all flows: it is set to the earliest deadline, and not at all without one")
  func oneAlarmServesAllFlows() async throws {
    let daemon = try await TestDaemon(clock: clocks.clock)
    _ = try await daemon.start("pets")
    #expect(clocks.alarms(by: .elapsed).isEmpty)
    let first = try await start(daemon, after: 2 * Self.hour)
    let second = try await start(daemon, after: Self.hour)
    _ = try await start(daemon, after: 3 * Self.hour)
    #expect(clocks.alarms(by: .elapsed) == [2, 1].map { TestClocks.uptime + $0 * Self.hour })
    try await daemon.dismiss(second)
    #expect(clocks.alarms(by: .elapsed).last == TestClocks.uptime + 2 * Self.hour)
    try await daemon.dismiss(first)
    #expect(clocks.alarms(by: .elapsed).last == TestClocks.uptime + 3 * Self.hour)
    var signals = try await daemon.signals().makeAsyncIterator()
    clocks.pass(3 * Self.hour)
    _ = await signals.upTo("FlowEnded")
    #expect(try await daemon.outcome(try Contract.flowPath(root: "pets_1")) == "active")
    // The alarm has rung and is not set again.
    #expect(clocks.alarms(by: .elapsed).count == 4)
    #expect(clocks.alarms(by: .wall).isEmpty)
    // One alarm per clock.
    #expect(clocks.madeAlarms == 2)
    try await daemon.end()
  }

  @Test(
    "The system's alarms ring at their time, at once if that has passed, and not after being cleared",
    arguments: ClockTimer.Clock.allCases)
  func systemAlarmRingsOnTime(kind: ClockTimer.Clock) async throws {
    let loop = EventLoop()
    let clock = MachineClock.system
    let (rings, continuation) = AsyncStream.makeStream(of: UInt64.self)
    let alarm = try #require(clock.makeAlarm(kind, loop) { continuation.yield(clock.read(kind)) })
    var ringing = rings.makeAsyncIterator()
    for time in [0, 1, clock.read(kind) - 1_000] {
      alarm.set(time)
      #expect(await ringing.next() != nil)
    }
    let soon = clock.read(kind) + 20_000
    alarm.set(soon)
    #expect(try #require(await ringing.next()) >= soon)
    alarm.set(clock.read(kind) + 20_000)
    alarm.set(nil)
    alarm.set(.max)
    let turns = loop.statistics.turns
    await withCheckedContinuation { continuation in loop.schedule(after: .milliseconds(40)) { continuation.resume() } }
    #expect(loop.statistics.turns - turns <= 3)
    continuation.finish()
    #expect(await ringing.next() == nil)
    withExtendedLifetime(alarm) {}
  }

  @Test("The system knows the start of the machine, and the monotonic clock never goes back")
  func systemClock() {
    #expect(MachineClock.system.boot > 0 && MachineClock.system.boot <= UInt64(Int64.max))
    #expect(MachineClock.system.isBootKnown == (access("/proc/sys/kernel/random/boot_id", R_OK) == 0))
    let first = MachineClock.system.elapsed
    #expect(first.boot == MachineClock.system.boot)
    #expect(MachineClock.system.elapsed.microseconds >= first.microseconds)
  }
}
