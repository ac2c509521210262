import CDBus
import Glibc

/// Runs a closure at a time of day, as a serial job of an ``EventLoop``: also if the machine slept meanwhile, or its clock was set.
///
/// The kernel keeps the time by its wall clock: when that is set, or the machine wakes up, an absolute timer of `CLOCK_REALTIME` moves with it,
/// so that neither has to be watched for. Nothing wakes up before the time has come.
public final class WallClockTimer: Sendable {
  private let descriptor: Int32
  private let core: LoopCore
  private let watch: UInt64

  /// A timer that is not set; nil if the system has no descriptor left.
  ///
  /// - Parameters:
  ///   - loop: Where to run the closure.
  ///   - body: Called once each time that the timer goes off, as a serial job. It has to look at the clock itself, which may have been set since.
  public init?(on loop: EventLoop, _ body: @escaping @Sendable () -> Void) {
    let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    core = loop.core
    watch = core.addWatch(descriptor: descriptor, events: Int16(POLLIN)) { _ in
      var expirations: UInt64 = 0
      // Nothing to read means that it was set to another time at the last moment.
      guard read(descriptor, &expirations, 8) == 8 else { return }
      body()
    }
  }

  deinit {
    core.removeWatch(watch)
    close(descriptor)
  }

  /// Sets the timer, whatever it was set to before.
  ///
  /// - Parameter time: Microseconds since 1970; one that has passed means now, nil never.
  public func set(_ time: UInt64?) {
    var setting = itimerspec()
    if let time {
      setting.it_value = timespec(tv_sec: Int(time / 1_000_000), tv_nsec: Int(time % 1_000_000) * 1_000)
      // All zeros would mean never.
      if time == 0 { setting.it_value.tv_nsec = 1 }
    }
    timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }
}
