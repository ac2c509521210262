import Locking

/// A body that the loop runs once, at a time.
///
/// Letting go of it changes nothing: the timer still fires.
public final class ScheduledTimer: Sendable {
  /// In a type of its own: a bare closure that goes through a generic `inout` comes back wrapped in another one, each time that somebody
  /// looks, and the loop looks at each turn.
  private struct Body: Sendable {
    let run: @Sendable () -> Void
  }

  private let body: Lock<Body?>
  private let core: LoopCore

  init(core: LoopCore, body: @escaping @Sendable () -> Void) {
    self.core = core
    self.body = Lock(Body(run: body))
  }

  /// Takes the timer back. Called on the loop's serial executor, it is certain that the body does not run any more;
  /// elsewhere the body may be running now. Cancelling twice, or after it fired, does nothing.
  public func cancel() {
    guard takeBody() != nil else { return }
    core.timerWasCancelled()
  }

  var isCancelled: Bool { body.withLock { $0 == nil } }

  /// Hands the body out once; whoever gets it runs or drops it.
  func takeBody() -> (@Sendable () -> Void)? { body.withLock { $0.take() }?.run }
}
