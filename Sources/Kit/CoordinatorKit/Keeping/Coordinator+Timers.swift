/// Timers, which survive restarts.
extension Coordinator {
  /// The time of the event that is being handled.
  public var now: Timestamp { Timestamp(microseconds: context.scope?.transition.now ?? 0) }

  /// Starts a timer, or restarts an equal one. ``timerFired(_:)`` is called when it goes off.
  ///
  /// A timer is stored with the transition, and ends with its coordinator. One whose time passes while the daemon does not
  /// run goes off when the daemon is back.
  ///
  /// The duration counts also while the machine sleeps, and is the same however somebody sets the clock meanwhile. After
  /// another start of the machine, the wall clock tells how much of it is left, but never more than the whole.
  ///
  /// ```swift
  /// try startTimer(.offerEnds, after: .seconds(30))
  /// ```
  ///
  /// - Parameters:
  ///   - timer: a description of the timer. It is stored, so it must not contain a secret.
  ///   - duration: how long to wait; a negative one counts as zero.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree has too many timers.
  public func startTimer(_ timer: Timer, after duration: Duration) throws {
    try startTimer(timer, at: now + duration, after: duration.storableMicroseconds)
  }

  /// Starts a timer, or restarts an equal one, that goes off when the wall clock shows a given time, whoever sets it; see
  /// ``startTimer(_:after:)``, which is right for durations.
  ///
  /// - Parameters:
  ///   - timer: a description of the timer. It is stored, so it must not contain a secret.
  ///   - time: when to go off. If that time has passed, the timer goes off as soon as the transition is stored.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree has too many timers.
  public func startTimer(_ timer: Timer, at time: Timestamp) throws {
    try startTimer(timer, at: time, after: nil)
  }

  /// Starts a timer of a duration in microseconds; nil if the wall clock counts. Then, `time` is when it is over.
  private func startTimer(_ timer: Timer, at time: Timestamp, after duration: UInt64?) throws {
    try context.change { transition, path in
      let lapse = duration.map { Lapse($0, from: transition.elapsed) }
      try transition.startTimer(TimerRecord(timer: timer, due: time, lapse: lapse), of: path)
    }
    try context.record { _, _ in .startTimer(key: try StoredText.encode(timer), at: time, after: duration) }
  }

  /// Stops a timer.
  ///
  /// - Parameter timer: the description of a timer that is equal; without effect if there is none.
  public func cancelTimer(_ timer: Timer) {
    context.change { $0.cancelTimer(timer, of: $1) }
    context.record { _, _ in (try? StoredText.encode(timer)).map { .cancelTimer(key: $0) } }
  }

  /// Returns when a timer goes off, for example for ``Screen/countingDown(to:)``.
  ///
  /// - Parameter timer: the description of the timer.
  /// - Returns: the time, or nil if no equal timer has been started.
  public func due(_ timer: Timer) -> Timestamp? {
    guard let scope = context.scope else { return nil }
    return scope.transition.after.coordinators[scope.path]?.belongings.timers.first { $0.isSame(as: timer) }?.due
  }
}

extension Coordinator where Timer == Never {
  /// Is never called, since there are no timers.
  public func timerFired(_ timer: Never) throws {}
}
