import CoordinatorKit
import DBus
import Logging
import Platform

/// Decides which handlers have run for longer than they may (rule 2), and when to look again.
///
/// A value type: its owner schedules the check. While every tree is idle, no check is scheduled.
struct HandlerWatch<Timer: Sendable>: Sendable {
  /// How long a handler may take.
  private(set) var deadline: Duration
  /// The timer of the next check; nil if none is scheduled.
  private var timer: Timer?

  /// Creates a watch without a timer.
  ///
  /// - Parameter deadline: how long a handler may take.
  init(deadline: Duration) { self.deadline = deadline }

  /// Records that a tree has become busy.
  ///
  /// - Parameter schedule: schedules a check, and returns its timer. Called unless a check is scheduled.
  mutating func treeIsBusy(_ schedule: (Duration) -> Timer) {
    if timer == nil { timer = schedule(deadline) }
  }

  /// Records that the timer has fired. Call this before looking at the trees: one that becomes busy afterwards sets
  /// the timer again, and one that became busy before is found.
  mutating func hasFired() { timer = nil }

  /// Replaces the timer with an earlier or later one.
  ///
  /// - Parameters:
  ///   - delay: the time until the next check.
  ///   - schedule: schedules a check, and returns its timer.
  /// - Returns: the timer to cancel; nil if none was set.
  mutating func lookAgain(after delay: Duration, _ schedule: (Duration) -> Timer) -> Timer? {
    defer { timer = schedule(delay) }
    return timer
  }

  /// Changes the deadline.
  ///
  /// - Returns: whether to check now, because handlers that are already running may have exceeded it.
  mutating func change(deadline: Duration) -> Bool {
    self.deadline = deadline
    return timer != nil
  }

  /// Returns the trees whose handlers have exceeded the deadline.
  ///
  /// - Parameters:
  ///   - trees: the busy trees.
  ///   - now: the current time.
  /// - Returns: the stuck trees; and the time until another handler may exceed the deadline, nil if no other tree is
  ///   busy.
  func check(_ trees: [BusyTree], at now: ContinuousClock.Instant) -> (stuck: [BusyTree], next: Duration?) {
    var stuck: [BusyTree] = []
    var next: Duration?
    for tree in trees {
      let left = deadline - (tree.since ?? now).duration(to: now)
      if tree.since != nil, left <= .zero { stuck.append(tree) } else { next = min(left, next ?? left) }
    }
    return (stuck, next)
  }
}

/// A tree that has events to handle.
struct BusyTree: Sendable, Hashable {
  /// The name of its root.
  let name: String
  /// When its handler began; nil if none is running.
  let since: ContinuousClock.Instant?
}

/// Schedules the checks for handlers that do not return (rule 2). May be used from any thread.
final class HandlerTimer: Sendable {
  private let watch: Lock<HandlerWatch<ScheduledTimer>>
  private let loop: EventLoop
  private let entry: HostEntry

  /// Creates a timer that is not set.
  ///
  /// - Parameters:
  ///   - deadline: how long a handler may take.
  ///   - loop: the loop on which checks run.
  ///   - entry: leads to the part that checks.
  init(deadline: Duration, loop: EventLoop, entry: HostEntry) {
    watch = Lock(HandlerWatch(deadline: deadline))
    (self.loop, self.entry) = (loop, entry)
  }

  /// How long a handler may take.
  var deadline: Duration { watch.withLock { $0.deadline } }

  /// Schedules a check, unless one is scheduled. Called when an idle tree starts to handle events.
  func treeIsBusy() { watch.withLock { $0.treeIsBusy(scheduleCheck) } }

  /// Records that a check has begun. Call this before looking at the trees; see ``HandlerWatch/hasFired()``.
  func hasFired() { watch.withLock { $0.hasFired() } }

  /// Returns the trees whose handlers have exceeded the deadline, and the time until another one may; see
  /// ``HandlerWatch/check(_:at:)``.
  func check(_ busy: [BusyTree]) -> (stuck: [BusyTree], next: Duration?) { watch.withLock { $0.check(busy, at: .now) } }

  /// Replaces the next check with an earlier or later one.
  func checkAgain(after delay: Duration) { watch.withLock { $0.lookAgain(after: delay, scheduleCheck) }?.cancel() }

  /// Changes the deadline, including that of handlers that are already running.
  func change(deadline: Duration) {
    if watch.withLock({ $0.change(deadline: deadline) }) { checkAgain(after: .zero) }
  }

  private func scheduleCheck(after delay: Duration) -> ScheduledTimer {
    loop.schedule(after: delay) { [entry] in entry.enter { $0.stuckTrees.check() } }
  }
}

/// Fails trees whose handlers do not return (rule 2), regardless of the cause: a handler may spin, or wait for its actor, which
/// is busy with an operation that the flow left running. Used only on the host's executor.
final class StuckTrees {
  private let roots: RootRegistry
  private let starts: FlowStarts
  private let handlers: HandlerTimer
  private let logger: Logger
  private let entry: HostEntry

  /// Creates a part that looks for stuck trees.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - roots: the trees.
  ///   - starts: answers the calls that wait for the start of a stuck tree.
  init(of host: HostServices, roots: RootRegistry, starts: FlowStarts) {
    (handlers, logger, entry) = (host.handlers, host.logger, host.entry)
    (self.roots, self.starts) = (roots, starts)
  }

  /// Logs the trees whose handlers are running, because a spare thread has taken over the loop.
  func logBusy() {
    let names = roots.trees.filter { $0.1.handlingSince != nil }.map(\.0).sorted()
    logger.info("handlers are slow", metadata: ["coordinators": "\(names.joined(separator: " "))"])
  }

  /// Abandons the trees whose handlers have exceeded the deadline, and schedules the next check.
  func check() {
    handlers.hasFired()
    let busy = roots.trees.filter { $0.1.currentTurn != nil }.map { BusyTree(name: $0.0, since: $0.1.handlingSince) }
    let (stuck, next) = handlers.check(busy)
    for tree in stuck { giveUp(tree) }
    if let next { handlers.checkAgain(after: next) }
  }

  private func giveUp(_ stuck: BusyTree) {
    guard let since = stuck.since, let tree = roots.tree(stuck.name) else { return }
    let failure = Failure(code: "not-responding", technical: "a handler did not return within \(handlers.deadline)")
    if let live = roots.live[stuck.name] {
      guard let (end, answer) = tree.abandon(handlingSince: since, published: live.state, failure: failure) else { return }
      conclude(end, of: tree, answer)
    } else {
      guard tree.abandonStart(handlingSince: since) else { return }
      starts.hasNotStarted(stuck.name, .failed(failure))
    }
    logger.error("a handler does not return; giving up its flow", metadata: ["coordinator": "\(stuck.name)"])
  }

  /// Stores and publishes the end of an abandoned tree, and answers its callers. The end is published even if it cannot be
  /// stored, because it has already happened.
  private func conclude(_ end: Publication, of tree: FlowTree, _ answer: @escaping @Sendable () -> Void) {
    Task { [logger, entry] in
      do {
        try await tree.environment.store?.commit(end)
      } catch {
        logger.error("cannot store the end of a flow", metadata: ["coordinator": "\(tree.root)", "error": "\(error)"])
      }
      await entry.host?.run { parts in
        parts.announcer.publish(end)
        answer()
      }
    }
  }
}
