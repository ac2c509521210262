/// Runs tasks that prefer the loop's thread: `Task(executorPreference: loop.taskExecutor)`. Obtained from
/// ``EventLoop/taskExecutor``.
///
/// The preference is inherited by task groups, `async let`, and nonisolated and `@concurrent` functions: work that takes time
/// has to be started with `executorPreference: globalConcurrentExecutor`. A job that runs too long here loses the loop to
/// another thread and finishes on its own.
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
