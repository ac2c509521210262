import CoordinatorKit
import DBus
import Platform

/// The clocks of the machine that a daemon uses. Tests replace them with controlled ones.
struct MachineClock: Sendable {
  /// The identifier of the start of the machine; see ``ElapsedTime/boot``.
  var boot: UInt64
  /// Whether the system has identified that start. Otherwise, durations continue by the wall clock after a restart of the
  /// daemon.
  var isBootKnown = true
  /// Returns the time by a clock, in microseconds.
  var read: @Sendable (ClockTimer.Clock) -> UInt64
  /// Creates an alarm by a clock that calls a closure on a loop, as a serial job; returns nil if the system has no timer
  /// left.
  var makeAlarm: @Sendable (ClockTimer.Clock, EventLoop, @escaping @Sendable () -> Void) -> (any Alarm)?

  /// The system's clocks.
  static let system = MachineClock(
    boot: systemBoot ?? UInt64.random(in: 1...UInt64(Int64.max)), isBootKnown: systemBoot != nil, read: { $0.now },
    makeAlarm: { ClockTimer(by: $0, on: $1, $2) })

  /// The time in microseconds since 1970.
  var now: UInt64 { read(.wall) }

  /// The time by the clock that cannot be set.
  var elapsed: ElapsedTime { ElapsedTime(boot: boot, microseconds: read(.elapsed)) }

  /// The time by both clocks.
  var moment: Moment { Moment(wall: now, elapsed: elapsed) }

  /// The kernel's id of this start; nil if it cannot be read, in which case each process assumes a different start.
  ///
  /// Source: random(4), `/proc/sys/kernel/random/boot_id`.
  private static let systemBoot: UInt64? = {
    let text = FileContent.read("/proc/sys/kernel/random/boot_id") ?? []
    let digits = String(decoding: text.filter { $0 != UInt8(ascii: "-") }.prefix(15), as: UTF8.self)
    // Stored numbers are signed, and the kit's tests use the start 0.
    return UInt64(digits, radix: 16).flatMap { $0 == 0 ? nil : $0 }
  }()
}

/// An alarm that expires at a time by a clock.
protocol Alarm: Sendable {
  /// Sets the alarm to a time in microseconds by its clock, or to nil for never. Replaces the previous time.
  func set(_ time: UInt64?)
}

extension ClockTimer: Alarm {}
