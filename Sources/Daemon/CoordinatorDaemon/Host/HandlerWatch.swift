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
