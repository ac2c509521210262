import CoordinatorKit
import Glibc

extension Timestamp {
  /// The current time.
  package static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec / 1000))
  }
}
