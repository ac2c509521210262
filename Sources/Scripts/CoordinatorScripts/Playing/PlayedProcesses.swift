import CoordinatorKit
import Glibc

/// The processes of all scripts that this process plays.
enum PlayedProcesses {
  /// How long processes may take to end by themselves, in steps of 20 ms.
  private static let patience = 300

  /// Kills them at once, as a crash of the machine does: stops all before it kills the first, so that no process notices the
  /// end of another and reports it, as a shell does.
  static func kill() {
    var stopped: Set<pid_t> = []
    while true {
      let running = RunProcesses.all().subtracting(stopped)
      guard !running.isEmpty else { break }
      for process in running { Glibc.kill(process, SIGSTOP) }
      stopped.formUnion(running)
    }
    for process in stopped { Glibc.kill(process, SIGKILL) }
  }

  /// Waits until they have ended, and kills those that do not.
  static func end() {
    for _ in 0..<patience {
      if RunProcesses.all().isEmpty { return }
      usleep(20_000)
    }
    kill()
  }
}

/// The clock of plays. It stands still, so that logs can be compared, unless a person plays: then it is monotonic from its
/// creation, even if the wall clock is set.
package struct PlayedClock: Sendable {
  /// When plays begin.
  package let start: Timestamp
  private let created = ContinuousClock.now
  /// Whether a person plays.
  package let isReal: Bool

  init(isReal: Bool) {
    self.isReal = isReal
    start = isReal ? Timestamp(microseconds: Self.wallTime) : LocalScripts.startTime
  }

  /// Returns the time of an event.
  ///
  /// - Parameter time: the time of the event before it.
  /// - Returns: the time.
  package func time(after time: Timestamp) -> Timestamp {
    guard isReal else { return time }
    let passed = UInt64(max(0, created.duration(to: .now) / .microseconds(1)))
    return max(time, Timestamp(microseconds: start.microseconds + passed))
  }

  private static var wallTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(time.tv_nsec / 1_000)
  }
}
