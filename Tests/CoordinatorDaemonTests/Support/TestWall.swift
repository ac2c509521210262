import Platform

@testable import CoordinatorDaemon

/// A wall clock that the test sets.
final class TestWall: Sendable {
  static let start: UInt64 = 1_800_000_000_000_000

  private struct State: Sendable {
    var now: UInt64
    var alarms: [UInt64?] = []
    var rings: [@Sendable () -> Void] = []
  }

  private struct Alarm: WallAlarm {
    let wall: TestWall
    func set(_ time: UInt64?) {
      let rings = wall.state.withLock { state in
        state.alarms.append(time)
        // As in the kernel: at once, if the time has passed.
        return time.map { $0 <= state.now } == true ? state.rings : []
      }
      for ring in rings { ring() }
    }
  }

  private let state: Lock<State>

  /// Creates a clock that shows a time.
  init(at now: UInt64 = TestWall.start) { state = Lock(State(now: now)) }

  /// The times that the alarm was set to, in order.
  var alarms: [UInt64?] { state.withLock(\.alarms) }
  var madeAlarms: Int { state.withLock(\.rings.count) }

  var clock: WallClock {
    WallClock(
      now: { self.state.withLock(\.now) },
      makeAlarm: { loop, ring in
        self.state.withLock { $0.rings.append { loop.post(ring) } }
        return Alarm(wall: self)
      })
  }

  /// Sets the clock. The alarm rings if its time has come, as in the kernel, or if `ringing` is true.
  func set(_ time: UInt64, ringing: Bool = false) {
    let rings = state.withLock { state in
      state.now = time
      guard let alarm = state.alarms.last, let alarm, ringing || alarm <= time else { return [@Sendable () -> Void]() }
      return state.rings
    }
    for ring in rings { ring() }
  }
}
