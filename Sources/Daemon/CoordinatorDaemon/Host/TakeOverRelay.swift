import Platform

/// Connects an event loop to the host, which is created after the loop and is notified when a spare thread takes the
/// loop over.
final class TakeOverRelay: Sendable {
  /// Wraps the closure, because a generic `inout` would wrap a bare closure in another one each time.
  private struct Action: Sendable {
    let run: @Sendable () -> Void
  }

  private let action = Lock<Action?>(nil)

  func set(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = Action(run: action) } }

  func fire() { action.withLock { $0 }?.run() }
}
