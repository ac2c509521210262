import DBus
import Glibc

/// The time of day that a daemon goes by. Tests have one of their own, which goes as they say.
struct WallClock: Sendable {
  /// Microseconds since 1970.
  var now: @Sendable () -> UInt64
  /// Makes an alarm that calls a closure on a loop, as a serial job; nil if the system has none left.
  var makeAlarm: @Sendable (EventLoop, @escaping @Sendable () -> Void) -> (any WallAlarm)?

  /// The system's.
  static let system = WallClock(now: microseconds, makeAlarm: { WallClockTimer(on: $0, $1) })

  /// Microseconds since 1970, by the system's clock.
  static func microseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(max(time.tv_sec, 0)) * 1_000_000 + UInt64(max(time.tv_nsec, 0)) / 1_000
  }
}

/// Goes off at a time of day.
protocol WallAlarm: Sendable {
  /// Sets the alarm, whatever it was set to before: to microseconds since 1970, or nil for never.
  func set(_ time: UInt64?)
}

extension WallClockTimer: WallAlarm {}
