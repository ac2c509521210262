/// Keeps one alarm set to the earliest deadline of its clock.
struct DeadlineAlarm<Key: Hashable & Sendable>: Sendable {
  private var queue = DeadlineQueue<Key>()
  private var alarm: (any Alarm)?
  /// The time that the alarm is set to; nil for never.
  private var time: UInt64?

  /// Whether no deadline is set.
  var isEmpty: Bool { queue.isEmpty }

  /// Uses an alarm. When it expires, its owner calls ``hasGoneOff(at:)``.
  mutating func use(_ alarm: any Alarm) { self.alarm = alarm }

  /// Sets or replaces a deadline.
  mutating func set(_ key: Key, at deadline: UInt64) {
    queue.set(key, at: deadline)
    update()
  }

  /// Removes a deadline, if it is set.
  mutating func remove(_ key: Key) {
    queue.remove(key)
    update()
  }

  /// Removes the deadlines that have passed, after the alarm has expired.
  ///
  /// - Parameter now: the time by the clock, which may have been set since the alarm was.
  /// - Returns: the deadlines that are due, in order.
  mutating func hasGoneOff(at now: UInt64) -> [Key] {
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
