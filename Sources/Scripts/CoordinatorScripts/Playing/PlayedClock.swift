import Glibc

/// The clock of plays, in microseconds since 1970. It stands still, so that logs can be compared, unless a person plays: then
/// it goes on from the time at its creation, whoever sets the clock of the machine.
struct PlayedClock: Sendable {
  /// When plays for tests begin: always at the same time.
  private static let testStart: UInt64 = 1_700_000_000_000_000

  /// When plays begin.
  let start: UInt64
  private let created = ContinuousClock.now
  /// Whether a person plays.
  let isReal: Bool

  init(isReal: Bool) {
    self.isReal = isReal
    start = isReal ? Self.wallTime : Self.testStart
  }

  /// Returns the time of an event.
  ///
  /// - Parameter time: the time of the event before it.
  /// - Returns: the time.
  func time(after time: UInt64) -> UInt64 {
    guard isReal else { return time }
    return max(time, start + UInt64(max(0, created.duration(to: .now) / .microseconds(1))))
  }

  private static var wallTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(time.tv_nsec / 1_000)
  }
}
