/// One thread that waits for descriptors and timers and runs jobs, in the order in which they came.
///
/// Being the loop is a *role*: when a task job (one that came through ``taskExecutor``) has run for longer than
/// `takeOverAfter`, a spare thread takes the role and goes on with the queue, and the thread that is stuck ends when its job
/// returns; until then it has a lower priority, so that even many of them do not slow the loop down. Serial jobs (actors on
/// ``serialExecutor``, timers, everything that touches libdbus) are never overtaken: there is always at most one.
///
/// An idle loop does not wake up at all. The loop ends when nobody holds it or one of its executors any more: what is queued
/// still runs, timers that are not due are dropped.
public final class EventLoop: Sendable {
  /// Where actors live that share the loop's isolation.
  public let serialExecutor: LoopSerialExecutor
  /// What tasks prefer that are to run on the loop's thread.
  public let taskExecutor: LoopTaskExecutor

  let core: LoopCore

  /// Starts a loop with a thread of its own. Traps if the system refuses a thread or a descriptor.
  ///
  /// - Parameters:
  ///   - takeOverAfter: How long a task job may run before another thread takes the loop over.
  ///   - onTakeOver: Called by the thread that takes over, as its first serial job; for logs and metrics.
  public init(takeOverAfter: Duration = .milliseconds(100), onTakeOver: (@Sendable () -> Void)? = nil) {
    core = LoopCore(takeOverAfter: takeOverAfter, onTakeOver: onTakeOver)
    let lifetime = LoopLifetime(core: core)
    serialExecutor = LoopSerialExecutor(lifetime: lifetime)
    taskExecutor = LoopTaskExecutor(lifetime: lifetime)
    core.start()
  }

  /// Runs `body` once, as a serial job, `delay` from now.
  ///
  /// - Parameters:
  ///   - delay: Zero or less means: behind what is queued now.
  ///   - body: Runs once, unless the timer is cancelled before.
  /// - Returns: The timer, for cancelling it.
  @discardableResult
  public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> ScheduledTimer {
    core.schedule(at: Monotonic.after(delay), body)
  }

  /// Runs `body` as a serial job behind everything that is queued now. May be called anywhere.
  public func post(_ body: @escaping @Sendable () -> Void) { core.enqueue(.block(body)) }

  /// Runs `body` as a serial job once nothing else is to be done: no job waits, and no descriptor has anything to say. While there always is
  /// something, one such body runs every ten milliseconds. May be called anywhere.
  public func postPatiently(_ body: @escaping @Sendable () -> Void) { core.enqueuePatiently(body) }

  /// Runs `body` as a serial job, again and again, for as long as the loop is not stuck in a job: it does not wait behind those that are
  /// queued. A loop has one heartbeat; another one takes its place.
  public func beat(every interval: Duration, _ body: @escaping @Sendable () -> Void) {
    core.beat(every: max(1, interval.nanoseconds), body)
  }

  /// Whether anything is queued now.
  var hasJobs: Bool { core.state.withLock { $0.jobs.count > 0 } }

  /// Whether the caller runs inside a serial job of this loop, so that `assumeIsolated` holds for its actors.
  public var isInSerialJob: Bool { core.isInSerialJob }

  /// What the loop has done so far.
  public var statistics: LoopStatistics { core.statistics }
}

/// Counts of what an ``EventLoop`` has done since it started.
public struct LoopStatistics: Sendable, Hashable {
  /// How often the loop has asked the kernel for events. Stands still while the loop is idle.
  public var turns: UInt64 = 0
  /// How many jobs it has run.
  public var jobs: UInt64 = 0
  /// How often the watchdog was armed: at most once per `takeOverAfter`.
  public var watchdogArms: UInt64 = 0
  /// How often a spare thread took over.
  public var takeOvers: UInt64 = 0
  /// How many threads the loop has now: the one with the role, the watchdog once there was a task job, and those that are stuck.
  public var threads: Int = 0
}

/// Ends the loop's threads when the loop and its executors are gone.
final class LoopLifetime: Sendable {
  let core: LoopCore
  init(core: LoopCore) { self.core = core }
  deinit { core.stop() }
}
