import Glibc

/// The time of day.
enum WallClock {
  /// Microseconds since 1970.
  static func microseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(max(time.tv_sec, 0)) * 1_000_000 + UInt64(max(time.tv_nsec, 0)) / 1_000
  }
}
