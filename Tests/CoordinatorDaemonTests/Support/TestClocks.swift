import CoordinatorKit
import DBus
import Platform

@testable import CoordinatorDaemon

/// The clocks of a machine, which the test advances, sets, and restarts.
final class TestClocks: Sendable {
  /// The initial wall clock.
  static let start: UInt64 = 1_800_000_000_000_000
  /// The uptime of the machine at that time.
  static let uptime: UInt64 = 60_000_000
  /// The uptime of the machine when a daemon is started after a reboot.
  static let boot: UInt64 = 1_000_000

  private struct State: Sendable {
    var boot: UInt64 = 1
    var now: [ClockTimer.Clock: UInt64] = [.wall: TestClocks.start, .elapsed: TestClocks.uptime]
    var alarms: [ClockTimer.Clock: [UInt64?]] = [:]
    var rings: [ClockTimer.Clock: [@Sendable () -> Void]] = [:]

    /// The alarms that are due.
    var due: [@Sendable () -> Void] {
      ClockTimer.Clock.allCases.flatMap { kind -> [@Sendable () -> Void] in
        guard let last = alarms[kind]?.last, let alarm = last, alarm <= now[kind] ?? 0 else { return [] }
        return rings[kind] ?? []
      }
    }
  }

  private struct TestAlarm: Alarm {
    let clocks: TestClocks
    let kind: ClockTimer.Clock

    func set(_ time: UInt64?) {
      clocks.change { state in
        state.alarms[kind, default: []].append(time)
        // As in the kernel, an alarm in the past rings at once.
        return time.map { $0 <= state.now[kind] ?? 0 } == true ? state.rings[kind] ?? [] : []
      }
    }
  }

  private let state = Lock(State())

  /// The times that an alarm was set to, in order.
  func alarms(by kind: ClockTimer.Clock) -> [UInt64?] { state.withLock { $0.alarms[kind] ?? [] } }

  /// The number of alarms that were created.
  var madeAlarms: Int { state.withLock { $0.rings.values.reduce(0) { $0 + $1.count } } }

  /// The clocks for a daemon that is started now.
  var clock: MachineClock {
    MachineClock(
      boot: state.withLock(\.boot), read: { kind in self.state.withLock { $0.now[kind] ?? 0 } },
      makeAlarm: { kind, loop, ring in
        self.state.withLock { $0.rings[kind, default: []].append { loop.post(ring) } }
        return TestAlarm(clocks: self, kind: kind)
      })
  }

  /// Lets time pass, while the machine runs or sleeps.
  func pass(_ time: UInt64) {
    change { state in
      for kind in ClockTimer.Clock.allCases { state.now[kind, default: 0] += time }
      return state.due
    }
  }

  /// Sets the wall clock.
  func set(_ wall: UInt64) {
    change { state in
      state.now[.wall] = wall
      return state.due
    }
  }

  /// Rings an alarm, even if it is not due.
  func ring(_ kind: ClockTimer.Clock) { change { $0.rings[kind] ?? [] } }

  /// Removes the alarms of a daemon that has ended.
  func forgetAlarms() {
    change { state in
      (state.alarms, state.rings) = ([:], [:])
      return []
    }
  }

  /// Restarts the machine.
  ///
  /// - Parameter wall: the wall clock after the restart.
  func restart(at wall: UInt64) {
    forgetAlarms()
    change { state in
      state.boot += 1
      state.now = [.wall: wall, .elapsed: Self.boot]
      return []
    }
  }

  private func change(_ change: (inout State) -> [@Sendable () -> Void]) {
    for ring in state.withLock(change) { ring() }
  }
}
