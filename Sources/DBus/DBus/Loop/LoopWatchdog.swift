import CDBus
import Glibc
import Platform

/// The preparation that the watchdog needs before a task job starts.
enum WatchdogNeed {
  case none
  case arm
  case startAndArm
}

/// The watchdog: a thread that sleeps in `read` on a timerfd, and takes over the role when a task job runs for too
/// long.
///
/// The timer is set when a task job starts while it is not set. When it expires, the watchdog checks the age of the job
/// that runs at that moment, and sets the timer to the remaining time, or leaves it unset if there is no job. This
/// costs one system call per `takeOverAfter` while the loop is busy, and nothing while it is idle.
extension LoopCore.State {
  enum WatchdogVerdict {
    case wait
    case waitAgain(UInt64)
    case takeOver(UInt64)
    case end
  }

  mutating func takeWatchdogNeed() -> WatchdogNeed {
    // There is no take-over while the loop ends: the current job may be the last.
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
    // There is no thread left: the next task job retries.
    state.withLock { ($0.watchdogArmed, $0.watchdogRuns) = (false, false) }
  }

  func setWatchdog(after nanoseconds: UInt64) {
    var time = itimerspec()
    time.it_value = timespec(nanoseconds: nanoseconds)
    timerfd_settime(watchdogTimer, 0, &time, nil)
  }

  /// Takes the role from a stuck thread and lowers that thread's priority, so that the loop does not compete for the
  /// processor with threads that spin, however many there are.
  private func takeOverIfStuck(_ state: inout State) -> State.WatchdogVerdict {
    let stuck = state.holderThread
    let verdict = state.watchdogWentOff(takeOverAfter: takeOverAfter)
    // Under the lock: until it acquires the lock, the thread does not know that it was overtaken, so it cannot have
    // ended.
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
