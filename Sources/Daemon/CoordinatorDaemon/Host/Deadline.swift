import DBus

/// What happens at a time by a clock.
enum Deadline: Sendable, Hashable {
  /// The timeout of the root with this name passes.
  case timeout(String)
  /// A timer of a coordinator in the tree of the root with this name goes off.
  case timer(String)
  /// The journal notes that the machine runs.
  case noteTime
}

/// The deadlines of all flows, by the clocks that they go by: durations by the one that nobody can set, and times that
/// people have named by the wall clock.
struct Deadlines: Sendable {
  private var alarms: [ClockTimer.Clock: DeadlineAlarm<Deadline>] = [:]

  /// Uses an alarm. When it goes off, its owner calls ``haveCome(by:at:)``.
  mutating func use(_ alarm: any Alarm, by clock: ClockTimer.Clock) { alarms[clock, default: DeadlineAlarm()].use(alarm) }

  /// Sets or replaces a deadline by a clock; nil removes it.
  mutating func set(_ deadline: Deadline, by clock: ClockTimer.Clock, at time: UInt64?) {
    if let time {
      alarms[clock, default: DeadlineAlarm()].set(deadline, at: time)
    } else {
      alarms[clock]?.remove(deadline)
    }
  }

  /// Removes a deadline by all clocks.
  mutating func remove(_ deadline: Deadline) {
    for clock in ClockTimer.Clock.allCases { alarms[clock]?.remove(deadline) }
  }

  /// Returns whether no deadline is set by a clock.
  func isEmpty(by clock: ClockTimer.Clock) -> Bool { alarms[clock]?.isEmpty ?? true }

  /// Removes the deadlines that have passed, after an alarm went off.
  ///
  /// - Parameters:
  ///   - clock: the clock of the alarm.
  ///   - now: the time by it, which may have been set since the alarm was.
  /// - Returns: what is due, in the order of the deadlines.
  mutating func haveCome(by clock: ClockTimer.Clock, at now: UInt64) -> [Deadline] {
    alarms[clock]?.hasGoneOff(at: now) ?? []
  }
}
