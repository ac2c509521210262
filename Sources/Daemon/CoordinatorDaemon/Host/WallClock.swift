import DBus
import Glibc

/// The wall clock that a daemon uses. Tests use one that they control.
struct WallClock: Sendable {
  /// Returns the time in microseconds since 1970.
  var now: @Sendable () -> UInt64
  /// Creates an alarm that calls a closure on a loop, as a serial job; returns nil if the system has no timer left.
  var makeAlarm: @Sendable (EventLoop, @escaping @Sendable () -> Void) -> (any WallAlarm)?

  /// The system's clock.
  static let system = WallClock(now: microseconds, makeAlarm: { WallClockTimer(on: $0, $1) })

  /// Returns the system's time in microseconds since 1970.
  static func microseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(max(time.tv_sec, 0)) * 1_000_000 + UInt64(max(time.tv_nsec, 0)) / 1_000
  }
}

/// An alarm that goes off at a wall-clock time.
protocol WallAlarm: Sendable {
  /// Sets the alarm to a time in microseconds since 1970, or to nil for never. Replaces the previous time.
  func set(_ time: UInt64?)
}

extension WallClockTimer: WallAlarm {}
