import Glibc

@testable import Accounts

/// A gate with which a test blocks a thread.
///
/// `@unchecked Sendable`: a semaphore is made to be shared, and lives as long as the gate.
final class Gate: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// Given when a thread has reached the gate.
  let reached = Signal()

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Blocks the thread until the gate is opened.
  func pass() {
    reached.give()
    sem_wait(semaphore)
  }

  /// Lets one thread pass.
  func open() { sem_post(semaphore) }
}
