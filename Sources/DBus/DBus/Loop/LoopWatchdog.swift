import CDBus
import Glibc
import Threads

/// What the watchdog needs before a task job starts.
enum WatchdogNeed {
  case none
  case arm
  case startAndArm
}

/// The watchdog: a thread that sleeps in `read` on a timerfd, and takes the role when a task job runs for too long.
///
/// The timer is set when a task job starts and none is set; when it goes off, the watchdog looks how old the job of that
/// moment is, and sets the timer to the rest, or leaves it alone if there is no job. So it costs one system call per
/// `takeOverAfter` while the loop is busy, and nothing while it is idle.
extension LoopCore.State {
  enum WatchdogVerdict {
    case wait
    case waitAgain(UInt64)
    case takeOver(UInt64)
    case end
  }

  mutating func takeWatchdogNeed() -> WatchdogNeed {
    // While the loop ends there is no take-over: the job that runs may be the last.
    guard !watchdogArmed, !stopping else { return .none }
    watchdogArmed = true
    statistics.watchdogArms += 1
    defer { watchdogRuns = true }
    return watchdogRuns ? .arm : .startAndArm
  }

  mutating func watchdogWentOff(takeOverAfter: UInt64) -> WatchdogVerdict {
    guard !stopping else { return .end }
    guard let since = taskSince else {
      watchdogArmed = false
      return .wait
    }
    let now = Monotonic.now()
    let age = now > since ? now - since : 0
    guard age >= takeOverAfter else {
      statistics.watchdogArms += 1
      return .waitAgain(takeOverAfter - age)
    }
    holder += 1
    taskSince = nil
    budget = 0
    watchdogArmed = false
    watchdogRuns = false
    statistics.takeOvers += 1
    return .takeOver(holder)
  }
}

extension LoopCore {
  func armWatchdog(_ need: WatchdogNeed) {
    setWatchdog(after: takeOverAfter)
    guard need == .startAndArm, !startThread({ $0.watch() }) else { return }
    // No thread to be had: the next task job tries again.
    state.withLock { ($0.watchdogArmed, $0.watchdogRuns) = (false, false) }
  }

  func setWatchdog(after nanoseconds: UInt64) {
    var time = itimerspec()
    time.it_value = timespec(nanoseconds: nanoseconds)
    timerfd_settime(watchdogTimer, 0, &time, nil)
  }

  /// Takes the role from the thread that is stuck, and lowers its priority: however many spin, the loop does not wait for its share of
  /// the processor.
  private func takeOverIfStuck(_ state: inout State) -> State.WatchdogVerdict {
    let stuck = state.holderThread
    let verdict = state.watchdogWentOff(takeOverAfter: takeOverAfter)
    // Under the lock: until it has it, the thread does not know that it was overtaken, so it has not ended.
    if case .takeOver = verdict { Thread.lowerPriority(of: stuck) }
    return verdict
  }

  private func watch() {
    while true {
      var expirations: UInt64 = 0
      _ = read(watchdogTimer, &expirations, 8)
      switch state.withLock({ takeOverIfStuck(&$0) }) {
      case .wait: continue
      case .waitAgain(let rest): setWatchdog(after: rest)
      case .takeOver(let holder): return run(as: holder)
      case .end: return
      }
    }
  }
}
