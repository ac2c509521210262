/// Keeps one alarm set to the earliest deadline of all flows.
///
/// Deadlines are wall-clock times in microseconds since 1970, which remain valid if the machine is suspended or its
/// clock is set.
struct DeadlineAlarm: Sendable {
  private var queue = DeadlineQueue()
  private var alarm: (any WallAlarm)?
  /// The time that the alarm is set to; nil for never.
  private var time: UInt64?

  /// Uses an alarm. When it goes off, its owner calls ``hasGoneOff(at:)``.
  mutating func use(_ alarm: any WallAlarm) { self.alarm = alarm }

  /// Sets or replaces the deadline of a flow.
  mutating func set(_ name: String, at deadline: UInt64) {
    queue.set(name, at: deadline)
    update()
  }

  /// Removes the deadline of a flow, if it has one.
  mutating func remove(_ name: String) {
    queue.remove(name)
    update()
  }

  /// Removes the deadlines that have passed, after the alarm went off.
  ///
  /// - Parameter now: the time by the clock, which may have been set since the alarm was.
  /// - Returns: the names of the flows to end, in the order of their deadlines.
  mutating func hasGoneOff(at now: UInt64) -> [String] {
    time = nil
    let due = queue.takeDue(at: now)
    update()
    return due
  }

  private mutating func update() {
    let next = queue.next
    guard next != time else { return }
    time = next
    alarm?.set(next)
  }
}
