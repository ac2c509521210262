/// The state of a host that is about to end, and the continuations that wait until its flows have ended. Used only on the host's executor.
final class HostEnding {
  /// Whether no flow may be started any more.
  private(set) var isClosing = false
  /// Whether all flows are being ended because the daemon ends and persists nothing.
  private(set) var isEndingAll = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Prevents flows from being started.
  func close() { isClosing = true }

  /// Prevents flows from being started, because all are being ended.
  func endAll() { (isClosing, isEndingAll) = (true, true) }

  /// Keeps a continuation until ``resumeWaiters()``.
  func wait(_ waiter: CheckedContinuation<Void, Never>) { waiters.append(waiter) }

  /// Resumes all continuations, because the last flow has ended, or because they have waited for too long.
  func resumeWaiters() {
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}
