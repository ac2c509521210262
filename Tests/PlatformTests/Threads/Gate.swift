import Glibc
import Platform

/// Blocks threads until the test opens it.
final class Gate: Sendable {
  private let isOpen = Lock(false)
  private let arrivals = AsyncStream.makeStream(of: Void.self)

  /// Lets all threads pass.
  func open() { isOpen.withLock { $0 = true } }

  /// Blocks the calling thread until the gate is open.
  func block() {
    arrivals.continuation.yield()
    while !isOpen.withLock(\.self) { sched_yield() }
  }

  /// Waits until a number of threads have reached the gate. Call this once.
  func reached(by count: Int = 1) async { for await _ in arrivals.stream.prefix(count) {} }
}
