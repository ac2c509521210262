import Platform

/// A flag that is raised at most once. Safe to use from any thread.
final class Flag: Sendable {
  private let state = Lock(false)

  var isRaised: Bool { state.withLock { $0 } }

  func raise() { state.withLock { $0 = true } }
}
