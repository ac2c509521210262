import CoordinatorKit
import DBus
import HeapModule

/// The deadlines of all flows, by clock: durations end by the monotonic clock, and times that users have chosen arrive by the
/// wall clock. Used only on the host's executor.
///
/// While any duration runs, the journal regularly records that the machine runs.
final class Deadlines {
  /// The interval at which the journal records that the machine runs, in microseconds. After a power failure, the time since
  /// the last record does not count.
  static let noteInterval: UInt64 = 600_000_000

  private var alarms: [ClockTimer.Clock: DeadlineAlarm<Deadline>] = [:]
  /// Whether ``Deadline/noteTime`` is set.
  private var notesTime = false
  private let clock: MachineClock
  private let environments: TreeEnvironments

  /// Creates deadlines without alarms.
  init(of host: HostServices) { (clock, environments) = (host.clock, host.environments) }

  /// Creates the alarms that serve all deadlines and timers, one for each clock.
  ///
  /// - Parameters:
  ///   - loop: the loop on which the alarms expire.
  ///   - goesOff: called on the loop when the alarm of a clock expires, to call ``takeDue(by:)``.
  /// - Returns: whether the system provided the timers.
  func makeAlarms(on loop: EventLoop, _ goesOff: @escaping @Sendable (ClockTimer.Clock) -> Void) -> Bool {
    for kind in ClockTimer.Clock.allCases {
      guard let alarm = clock.makeAlarm(kind, loop, { goesOff(kind) }) else { return false }
      alarms[kind, default: DeadlineAlarm()].use(alarm)
    }
    return true
  }

  /// Sets the times at which the next timers of a tree fire.
  func setTimers(of root: CoordinatorPath, _ next: NextTimers) {
    let timer = Deadline.timer(String(root.root))
    set(timer, by: .wall, at: next.wall)
    setEnd(of: timer, next.elapsed)
  }

  /// Sets the time at which a duration ends by the monotonic clock, in microseconds; nil for never.
  func setEnd(of duration: Deadline, _ end: UInt64?) {
    set(duration, by: .elapsed, at: end)
    guard let end, !notesTime, environments.journal != nil else { return }
    let next = clock.read(.elapsed) + Self.noteInterval
    if end > next { noteTime(at: next) }
  }

  /// Removes a deadline from all clocks.
  func remove(_ deadline: Deadline) {
    for clock in ClockTimer.Clock.allCases { alarms[clock]?.remove(deadline) }
  }

  /// Removes the deadlines that have passed, after an alarm has expired.
  ///
  /// - Parameter kind: the clock of the alarm.
  /// - Returns: the timeouts and timers that are due, in the order of the deadlines.
  func takeDue(by kind: ClockTimer.Clock) -> [Deadline] {
    var due = alarms[kind]?.hasGoneOff(at: clock.read(kind)) ?? []
    if due.contains(.noteTime) {
      due.removeAll { $0 == .noteTime }
      noteTime()
    }
    return due
  }

  private func set(_ deadline: Deadline, by clock: ClockTimer.Clock, at time: UInt64?) {
    if let time {
      alarms[clock, default: DeadlineAlarm()].set(deadline, at: time)
    } else {
      alarms[clock]?.remove(deadline)
    }
  }

  // MARK: Noting

  private func noteTime(at time: UInt64) {
    notesTime = true
    set(.noteTime, by: .elapsed, at: time)
  }

  private func noteTime() {
    notesTime = false
    environments.journal?.note(clock.elapsed)
    if alarms[.elapsed]?.isEmpty == false { noteTime(at: clock.read(.elapsed) + Self.noteInterval) }
  }
}

/// The action that a deadline triggers.
enum Deadline: Sendable, Hashable {
  /// The timeout of the root with this name passes.
  case timeout(String)
  /// A timer of a coordinator in the tree of the root with this name fires.
  case timer(String)
  /// The journal records that the machine runs.
  case noteTime
}

/// Deadlines by one clock, which are times in microseconds.
///
/// A value that makes decisions: the host has one alarm, sets it to the earliest deadline, and acts on the deadlines that are
/// due.
struct DeadlineQueue<Key: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable, Comparable {
    let time: UInt64
    /// The tie-breaker: of two entries with the same time, the one that was set first comes first.
    let order: UInt64
    let key: Key

    static func < (one: Entry, other: Entry) -> Bool { (one.time, one.order) < (other.time, other.order) }
  }

  /// Removed entries stay in the heap until they reach its top, or until they make up most of it.
  private var heap = Heap<Entry>()
  private var valid: [Key: Entry] = [:]
  private var lastOrder: UInt64 = 0

  /// The number of entries in memory, including removed ones.
  var heldCount: Int { heap.count }

  /// Whether no deadline is set.
  var isEmpty: Bool { valid.isEmpty }

  /// The earliest deadline; nil if there is none.
  var next: UInt64? {
    mutating get {
      dropRemoved()
      return heap.min?.time
    }
  }

  /// Sets or replaces a deadline.
  mutating func set(_ key: Key, at time: UInt64) {
    lastOrder += 1
    let entry = Entry(time: time, order: lastOrder, key: key)
    valid[key] = entry
    heap.insert(entry)
    compact()
  }

  /// Removes a deadline, if it is set.
  mutating func remove(_ key: Key) {
    guard valid.removeValue(forKey: key) != nil else { return }
    compact()
  }

  /// Removes and returns the deadlines that have passed.
  ///
  /// - Parameter now: the current time, which may be earlier than in a previous call.
  /// - Returns: the deadlines that are due, in order.
  mutating func takeDue(at now: UInt64) -> [Key] {
    var due: [Key] = []
    while let time = next, time <= now, let entry = heap.popMin() {
      valid[entry.key] = nil
      due.append(entry.key)
    }
    return due
  }

  private mutating func dropRemoved() {
    while let first = heap.min, valid[first.key] != first { heap.removeMin() }
  }

  private mutating func compact() {
    if heap.count > 2 * valid.count + 64 { heap = Heap(valid.values) }
  }
}

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
  /// - Parameter now: the time by the clock, which may have been set since the alarm was set.
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
