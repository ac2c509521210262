import CDBus
import Glibc

/// Runs a closure as a serial job of an ``EventLoop`` at a given time of a clock, even if the machine is suspended or its wall
/// clock is set meanwhile.
///
/// An absolute timer of `CLOCK_REALTIME` follows the wall clock when it is set, and one of `CLOCK_BOOTTIME` counts while the
/// machine is suspended. The kernel therefore does all the work, and the process does not wake up before the time has come.
///
/// Source: timerfd_create(2).
public final class ClockTimer: Sendable {
  /// A clock of the machine.
  public enum Clock: Sendable, Hashable, CaseIterable {
    /// The wall clock, which may be set. Counts from 1970.
    case wall
    /// The clock that cannot be set. Counts from the start of the machine, also while the machine sleeps.
    case elapsed

    /// The time by the clock, in microseconds.
    public var now: UInt64 {
      var time = timespec()
      clock_gettime(id, &time)
      return UInt64(max(time.tv_sec, 0)) * 1_000_000 + UInt64(max(time.tv_nsec, 0)) / 1_000
    }

    fileprivate var id: clockid_t {
      switch self {
      case .wall: CLOCK_REALTIME
      case .elapsed: CLOCK_BOOTTIME
      }
    }
  }

  private let descriptor: Int32
  private let core: LoopCore
  private let watch: UInt64

  /// Creates a timer that is not set; nil if the system has no descriptor left.
  ///
  /// - Parameters:
  ///   - clock: the clock to follow.
  ///   - loop: the loop to run the closure on.
  ///   - body: the closure to call as a serial job each time the timer expires. It must check the clock itself, which may have
  ///     been set since.
  public init?(by clock: Clock, on loop: EventLoop, _ body: @escaping @Sendable () -> Void) {
    let descriptor = timerfd_create(clock.id, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    core = loop.core
    watch = core.addWatch(descriptor: descriptor, events: Int16(POLLIN)) { _ in
      var expirations: UInt64 = 0
      // If there is nothing to read, the timer was set to another time at the last moment.
      guard read(descriptor, &expirations, 8) == 8 else { return }
      body()
    }
  }

  deinit {
    core.removeWatch(watch)
    close(descriptor)
  }

  /// Sets the timer, replacing its previous setting.
  ///
  /// - Parameter time: the time by the clock in microseconds; a time in the past means immediately, nil never.
  public func set(_ time: UInt64?) {
    var setting = itimerspec()
    if let time {
      setting.it_value = timespec(tv_sec: Int(time / 1_000_000), tv_nsec: Int(time % 1_000_000) * 1_000)
      // All zeros would disarm the timer.
      if time == 0 { setting.it_value.tv_nsec = 1 }
    }
    timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }
}
