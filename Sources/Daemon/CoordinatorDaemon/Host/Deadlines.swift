import CoordinatorKit
import DBus

/// The deadlines of all flows, by clock: durations end by the clock that cannot be set, and times that people have chosen
/// arrive by the wall clock. Used only on the host's executor.
///
/// While durations last, the journal notes regularly that the machine runs.
final class Deadlines {
  /// How often the journal notes that the machine runs, in microseconds. After a power failure, the time since the last
  /// note does not count.
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
  ///   - loop: the loop on which the alarms go off.
  ///   - goesOff: called on the loop when the alarm of a clock goes off, to call ``takeDue(by:)``.
  /// - Returns: whether the system had the timers left.
  func makeAlarms(on loop: EventLoop, _ goesOff: @escaping @Sendable (ClockTimer.Clock) -> Void) -> Bool {
    for kind in ClockTimer.Clock.allCases {
      guard let alarm = clock.makeAlarm(kind, loop, { goesOff(kind) }) else { return false }
      alarms[kind, default: DeadlineAlarm()].use(alarm)
    }
    return true
  }

  /// Sets when the next timers of a tree go off.
  func setTimers(of root: CoordinatorPath, _ next: NextTimers) {
    let timer = Deadline.timer(String(root.root))
    set(timer, by: .wall, at: next.wall)
    setEnd(of: timer, next.elapsed)
  }

  /// Sets when a duration ends by the clock that cannot be set, in microseconds; nil for never.
  func setEnd(of duration: Deadline, _ end: UInt64?) {
    set(duration, by: .elapsed, at: end)
    guard let end, !notesTime, environments.journal != nil else { return }
    let next = clock.read(.elapsed) + Self.noteInterval
    if end > next { noteTime(at: next) }
  }

  /// Removes a deadline by all clocks.
  func remove(_ deadline: Deadline) {
    for clock in ClockTimer.Clock.allCases { alarms[clock]?.remove(deadline) }
  }

  /// Removes the deadlines that have passed, after an alarm went off.
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
