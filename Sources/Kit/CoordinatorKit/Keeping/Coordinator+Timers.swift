/// Timers, which go by the wall clock and survive restarts.
extension Coordinator {
  /// The time of the event that is being handled.
  public var now: Timestamp { Timestamp(microseconds: context.scope?.transition.now ?? 0) }

  /// Starts a timer, or restarts an equal one. ``timerFired(_:)`` is called when it goes off.
  ///
  /// A timer is stored with the transition. It goes by the wall clock: one whose time passes while the daemon does not
  /// run goes off when the daemon is back. It ends with its coordinator.
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
    try startTimer(timer, at: now + duration)
  }

  /// Starts a timer, or restarts an equal one, that goes off at a given time; see ``startTimer(_:after:)``.
  ///
  /// - Parameters:
  ///   - timer: a description of the timer. It is stored, so it must not contain a secret.
  ///   - time: when to go off. If that time has passed, the timer goes off as soon as the transition is stored.
  /// - Throws: ``Refusal/limitExceeded(_:)`` if the tree has too many timers.
  public func startTimer(_ timer: Timer, at time: Timestamp) throws {
    try context.change { try $0.startTimer(TimerRecord(timer: timer, due: time), of: $1) }
    try context.record { _, _ in .startTimer(key: try StoredText.encode(timer), at: time) }
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
