import Platform

/// A closure that the loop runs once at a given time.
///
/// Releasing the timer does not cancel it.
public final class ScheduledTimer: Sendable {
  /// A wrapper type, because a bare closure that passes through a generic `inout` parameter comes back wrapped in
  /// another closure each time it is accessed, and the loop accesses it at each turn.
  private struct Body: Sendable {
    let run: @Sendable () -> Void
  }

  private let body: Lock<Body?>
  private let core: LoopCore

  init(core: LoopCore, body: @escaping @Sendable () -> Void) {
    self.core = core
    self.body = Lock(Body(run: body))
  }

  /// Cancels the timer. May be called from any thread. If called on the loop's serial executor, the body does not run
  /// after this returns; elsewhere, the body may be running now. Has no effect if the timer has fired or has already
  /// been cancelled.
  public func cancel() {
    guard takeBody() != nil else { return }
    core.timerWasCancelled()
  }

  var isCancelled: Bool { body.withLock { $0 == nil } }

  /// Removes and returns the body. Only one caller receives it, and either runs or drops it.
  func takeBody() -> (@Sendable () -> Void)? { body.withLock { $0.take() }?.run }
}
