import Glibc

/// State behind a lock, for a few instructions at a time.
///
/// Not `Synchronization.Mutex`: Thread Sanitizer does not see the futex in it, and takes every use for a race.
///
/// `@unchecked Sendable`, because `state` is touched with the mutex held and nowhere else, and what is handed out of
/// ``withLock(_:)`` is a value of its own: `State` holds only what may be sent.
package final class Lock<State: Sendable & ~Copyable>: @unchecked Sendable {
  @usableFromInline package let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline package var state: State

  /// Guards a first state.
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

  /// Runs `body` with the lock held. It must not take the lock again, and should not call foreign code.
  @inlinable package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
