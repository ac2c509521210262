import Platform

/// Connects a loop, which is made first, with the host that wants to know when a spare thread takes it over.
final class TakeOverRelay: Sendable {
  /// Not the bare closure, which a generic `inout` would wrap in another one each time.
  private struct Action: Sendable {
    let run: @Sendable () -> Void
  }

  private let action = Lock<Action?>(nil)

  func set(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = Action(run: action) } }

  func fire() { action.withLock { $0 }?.run() }
}
