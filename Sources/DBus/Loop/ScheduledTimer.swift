import Locking

/// A body that the loop runs once, at a time.
///
/// Letting go of it changes nothing: the timer still fires.
public final class ScheduledTimer: Sendable {
  private let body: Lock<(@Sendable () -> Void)?>
  private let core: LoopCore

  init(core: LoopCore, body: @escaping @Sendable () -> Void) {
    self.core = core
    self.body = Lock(body)
  }

  /// Takes the timer back. Called on the loop's serial executor, it is certain that the body does not run any more;
  /// elsewhere the body may be running now. Cancelling twice, or after it fired, does nothing.
  public func cancel() {
    guard takeBody() != nil else { return }
    core.timerWasCancelled()
  }

  var isCancelled: Bool { body.withLock { $0 == nil } }

  /// Hands the body out once; whoever gets it runs or drops it.
  func takeBody() -> (@Sendable () -> Void)? { body.withLock { $0.take() } }
}
