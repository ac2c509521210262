import CoordinatorBus
import DBus
import Platform
import Testing

@testable import CoordinatorDaemon

@Suite("Flow timeouts on the wall clock", .timeLimit(.minutes(5)))
struct DeadlineTests {
  private static let hour: UInt64 = 3_600_000_000

  @Test("A flow times out at its wall-clock time, however little of it the machine was awake")
  func timeoutCountsWhileMachineSleeps() async throws {
    let wall = TestWall()
    let daemon = try await TestDaemon(clock: wall.clock)
    let root = try await daemon.start("pets", [:], ["timeout": .uint64(Self.hour)])
    #expect(wall.alarms == [TestWall.start + Self.hour])
    var signals = try await daemon.signals().makeAsyncIterator()
    wall.set(TestWall.start + 8 * Self.hour)
    #expect(await signals.upTo("FlowEnded").last == "FlowEnded pets_1 pets cancelled")
    #expect(try await daemon.outcome(root) == "cancelled")
    try await daemon.end()
  }

  @Test("If the clock was set back when the alarm goes off, no flow ends before its time")
  func clockSetBackEndsNothingEarly() async throws {
    let wall = TestWall()
    let daemon = try await TestDaemon(clock: wall.clock)
    let root = try await daemon.start("pets", [:], ["timeout": .uint64(Self.hour)])
    wall.set(TestWall.start - Self.hour, ringing: true)
    // This call is answered after the alarm, on the same loop.
    #expect(try await daemon.outcome(root) == "active")
    #expect(wall.alarms.last == TestWall.start + Self.hour)
    var signals = try await daemon.signals().makeAsyncIterator()
    wall.set(TestWall.start + Self.hour)
    #expect(await signals.upTo("FlowEnded").last == "FlowEnded pets_1 pets cancelled")
    try await daemon.end()
  }

  @Test("One alarm serves all flows: it is set to the earliest deadline, and not at all without one")
  func oneAlarmServesAllFlows() async throws {
    let wall = TestWall()
    let daemon = try await TestDaemon(clock: wall.clock)
    _ = try await daemon.start("pets")
    #expect(wall.alarms.isEmpty)
    let first = try await daemon.start("pets", [:], ["timeout": .uint64(2 * Self.hour)])
    let second = try await daemon.start("pets", [:], ["timeout": .uint64(Self.hour)])
    _ = try await daemon.start("pets", [:], ["timeout": .uint64(3 * Self.hour)])
    #expect(wall.alarms == [2, 1].map { TestWall.start + $0 * Self.hour })
    try await daemon.dismiss(second)
    #expect(wall.alarms.last == TestWall.start + 2 * Self.hour)
    try await daemon.dismiss(first)
    #expect(wall.alarms.last == TestWall.start + 3 * Self.hour)
    var signals = try await daemon.signals().makeAsyncIterator()
    wall.set(TestWall.start + 3 * Self.hour)
    _ = await signals.upTo("FlowEnded")
    #expect(try await daemon.outcome(try Contract.flowPath(root: "pets_1")) == "active")
    // The alarm has rung and is not set again.
    #expect(wall.alarms.count == 4)
    #expect(wall.madeAlarms == 1)
    try await daemon.end()
  }

  @Test("The system alarm rings at its time, at once if that has passed, and not after being cleared")
  func systemAlarmRingsOnTime() async throws {
    let loop = EventLoop()
    let (rings, continuation) = AsyncStream.makeStream(of: UInt64.self)
    let alarm = try #require(WallClock.system.makeAlarm(loop) { continuation.yield(WallClock.system.now()) })
    var ringing = rings.makeAsyncIterator()
    for time in [0, 1, WallClock.system.now() - 1_000_000] {
      alarm.set(time)
      #expect(await ringing.next() != nil)
    }
    let soon = WallClock.system.now() + 20_000
    alarm.set(soon)
    #expect(try #require(await ringing.next()) >= soon)
    alarm.set(WallClock.system.now() + 20_000)
    alarm.set(nil)
    alarm.set(.max)
    let turns = loop.statistics.turns
    await withCheckedContinuation { continuation in loop.schedule(after: .milliseconds(40)) { continuation.resume() } }
    #expect(loop.statistics.turns - turns <= 3)
    continuation.finish()
    #expect(await ringing.next() == nil)
    withExtendedLifetime(alarm) {}
  }
}
