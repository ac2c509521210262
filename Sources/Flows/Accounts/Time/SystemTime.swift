import Glibc

/// The clocks of this machine.
struct SystemTime: TimeSource {
  private let start = ContinuousClock.now

  var elapsed: Duration { start.duration(to: .now) }

  var wallClock: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  func sleep(until deadline: Duration) async throws {
    try await ContinuousClock().sleep(until: start.advanced(by: deadline))
  }
}
