import Locking

/// Connects a loop, which is made first, with the host that wants to know when a spare thread takes it over.
final class TakeOverRelay: Sendable {
  private let action = Lock<(@Sendable () -> Void)?>(nil)

  func set(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

  func fire() { action.withLock { $0 }?() }
}
