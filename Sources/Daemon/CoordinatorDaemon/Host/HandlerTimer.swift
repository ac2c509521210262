import DBus
import Platform

/// Schedules the checks for handlers that do not return (rule 2). May be used from any thread.
final class HandlerTimer: Sendable {
  private let watch: Lock<HandlerWatch<ScheduledTimer>>
  private let loop: EventLoop
  private let entry: HostEntry

  /// Creates a timer that is not set.
  ///
  /// - Parameters:
  ///   - deadline: how long a handler may take.
  ///   - loop: the loop on which checks run.
  ///   - entry: leads to the part that checks.
  init(deadline: Duration, loop: EventLoop, entry: HostEntry) {
    watch = Lock(HandlerWatch(deadline: deadline))
    (self.loop, self.entry) = (loop, entry)
  }

  /// How long a handler may take.
  var deadline: Duration { watch.withLock { $0.deadline } }

  /// Schedules a check, unless one is scheduled. Called when an idle tree starts to handle events.
  func treeIsBusy() { watch.withLock { $0.treeIsBusy(scheduleCheck) } }

  /// Records that a check has begun. Call this before looking at the trees; see ``HandlerWatch/hasFired()``.
  func hasFired() { watch.withLock { $0.hasFired() } }

  /// Returns the trees whose handlers have exceeded the deadline, and the time until another one may; see
  /// ``HandlerWatch/check(_:at:)``.
  func check(_ busy: [BusyTree]) -> (stuck: [BusyTree], next: Duration?) { watch.withLock { $0.check(busy, at: .now) } }

  /// Replaces the next check with an earlier or later one.
  func checkAgain(after delay: Duration) { watch.withLock { $0.lookAgain(after: delay, scheduleCheck) }?.cancel() }

  /// Changes the deadline, including that of handlers that are already running.
  func change(deadline: Duration) {
    if watch.withLock({ $0.change(deadline: deadline) }) { checkAgain(after: .zero) }
  }

  private func scheduleCheck(after delay: Duration) -> ScheduledTimer {
    loop.schedule(after: delay) { [entry] in entry.enter { $0.stuckTrees.check() } }
  }
}
