/// Runs actors on the loop's thread, one job at a time. Obtained from ``EventLoop/serialExecutor``.
///
/// All actors on it share one isolation: each may use `assumeIsolated` on the others, and so may the bodies of timers
/// and the callbacks of a ``Connection`` on the same loop. Its jobs are never overtaken, so they must be short.
public final class LoopSerialExecutor: SerialExecutor {
  private let core: LoopCore
  private let lifetime: LoopLifetime

  init(lifetime: LoopLifetime) {
    self.core = lifetime.core
    self.lifetime = lifetime
  }

  /// Appends a job to the loop's queue.
  public func enqueue(_ job: consuming ExecutorJob) { core.enqueue(.serial(UnownedJob(job), self)) }

  /// Returns the reference that an actor returns as its `unownedExecutor`.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Returns whether the caller runs inside a serial job of this loop. False inside a task job, even on the same
  /// thread.
  public func isIsolatingCurrentContext() -> Bool? { core.isInSerialJob }

  /// Traps unless the caller runs inside a serial job of this loop.
  public func checkIsolated() { precondition(core.isInSerialJob, "not on the serial executor of this event loop") }
}
