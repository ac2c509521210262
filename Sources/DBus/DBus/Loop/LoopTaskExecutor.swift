/// Runs tasks that prefer the loop's thread: `Task(executorPreference: loop.taskExecutor)`. Obtained from
/// ``EventLoop/taskExecutor``.
///
/// Task groups, `async let`, and nonisolated and `@concurrent` functions inherit the preference: start work that takes
/// time with `executorPreference: globalConcurrentExecutor`. If a job runs for too long here, another thread takes over
/// the loop, and the job finishes on its own thread.
public final class LoopTaskExecutor: TaskExecutor {
  private let core: LoopCore
  private let lifetime: LoopLifetime

  init(lifetime: LoopLifetime) {
    self.core = lifetime.core
    self.lifetime = lifetime
  }

  /// Appends a job to the loop's queue.
  public func enqueue(_ job: consuming ExecutorJob) { core.enqueue(.task(UnownedJob(job), self)) }
}
