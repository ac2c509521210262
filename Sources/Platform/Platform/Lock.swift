import Glibc

/// State protected by a lock that is held for a few instructions at a time.
///
/// Used instead of `Synchronization.Mutex`, because Thread Sanitizer does not recognize the futex in that type and
/// reports every use as a race.
///
/// `@unchecked Sendable`, because `state` is accessed only with the mutex held, and what ``withLock(_:)`` returns is an
/// independent value: `State` is `Sendable`.
package final class Lock<State: Sendable & ~Copyable>: @unchecked Sendable {
  @usableFromInline package let mutex: UnsafeMutablePointer<pthread_mutex_t>
  // Accesses never overlap: only `withLock` makes them, and the mutex is not recursive, so a second call on the same thread
  // deadlocks before it gets here. Exclusivity therefore need not be enforced at run time.
  @exclusivity(unchecked) @usableFromInline package var state: State

  /// Creates a lock that protects an initial state.
  package init(_ state: consuming State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the lock held. `body` must not acquire the lock again, and should not call foreign code.
  @inlinable package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
