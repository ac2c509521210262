/// A timer that has not gone off.
package struct TimerRecord: Sendable {
  /// The coordinator's own description of the timer.
  package let timer: any Codable & Hashable & Sendable
  /// The time at which it goes off; of a duration, as the wall clock would show it unless somebody sets that.
  package let due: Timestamp
  /// The duration after which it goes off; nil for one that goes off at a time by the wall clock.
  package var lapse: Lapse?

  func isSame(as other: some Hashable) -> Bool { AnyHashable(timer) == AnyHashable(other) }

  /// Returns whether it has to go off.
  package func isDue(at moment: Moment) -> Bool {
    lapse.map { $0.isOver(at: moment.elapsed) } ?? (due.microseconds <= moment.wall)
  }
}

/// When the next timers of a tree go off.
package struct NextTimers: Sendable, Hashable {
  /// By the wall clock, in microseconds since 1970; nil for never.
  package var wall: UInt64?
  /// By the clock that nobody can set, in microseconds; nil for never.
  package var elapsed: UInt64?

  /// Creates the times of a tree without timers.
  package init() {}

  fileprivate mutating func add(_ timer: TimerRecord) {
    if let end = timer.lapse?.end {
      elapsed = min(elapsed ?? end, end)
    } else {
      wall = min(wall ?? .max, timer.due.microseconds)
    }
  }
}

extension TreeState {
  /// When the next timers of the tree go off. Those of held coordinators wait.
  package var nextTimers: NextTimers {
    var next = NextTimers()
    for record in coordinators.values where record.hold == nil {
      for timer in record.belongings.timers { next.add(timer) }
    }
    return next
  }

  /// When the next timer of the tree goes off if nobody sets the clock; nil if there is none.
  package var nextDue: Timestamp? { firstTimer { _ in true }?.timer.due }

  /// Returns the timer that goes off first, with its coordinator, provided that its time has come. Those of held
  /// coordinators wait.
  func dueTimer(at moment: Moment) -> (timer: TimerRecord, path: CoordinatorPath)? {
    firstTimer { $0.isDue(at: moment) }
  }

  private func firstTimer(where isWanted: (TimerRecord) -> Bool) -> (timer: TimerRecord, path: CoordinatorPath)? {
    var first: (timer: TimerRecord, path: CoordinatorPath)?
    for (path, record) in coordinators where record.hold == nil {
      for timer in record.belongings.timers where isWanted(timer) {
        guard let known = first else {
          first = (timer, path)
          continue
        }
        if (timer.due, path.text) < (known.timer.due, known.path.text) { first = (timer, path) }
      }
    }
    return first
  }
}
