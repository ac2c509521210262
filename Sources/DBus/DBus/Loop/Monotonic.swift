import Glibc

/// The event loop's clock: nanoseconds of `CLOCK_MONOTONIC`, which changes of the wall clock do not affect.
enum Monotonic {
  /// Returns the current time.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns the time at `duration` from now. A negative duration yields the current time, one beyond the clock's range
  /// the latest time.
  static func after(_ duration: Duration) -> UInt64 {
    let (sum, overflow) = now().addingReportingOverflow(duration.nanoseconds)
    return overflow ? .max : sum
  }
}

extension Duration {
  /// The duration in nanoseconds, clamped to 0 … `Int64.max` (about 292 years).
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow, whole <= UInt64(Int64.max) - 1_000_000_000 else { return UInt64(Int64.max) }
    return whole + UInt64(attoseconds / 1_000_000_000)
  }
}

extension timespec {
  /// Creates the form of `nanoseconds` that system calls take.
  init(nanoseconds: UInt64) {
    self.init(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
