import CoordinatorKit
import DBus

/// Ends flows at their deadlines and with the daemon, and detects when the daemon has nothing to do.
extension FlowHost {
  // MARK: Flows

  /// Ends a flow, in turn with the other events for which no caller waits.
  ///
  /// - Parameters:
  ///   - name: the name of the flow's root.
  ///   - isTimeout: whether the deadline of the flow has passed.
  func close(_ name: String, isTimeout: Bool) { roots.live[name]?.tree.closeInTurn(isTimeout: isTimeout) }

  /// Creates the alarms that serve all deadlines and timers, one for each clock.
  ///
  /// - Returns: whether the system had the timers left.
  func makeAlarms() -> Bool {
    for kind in ClockTimer.Clock.allCases {
      let alarm = clock.makeAlarm(kind, connection.loop) { [weak self] in
        self?.assumeIsolated { $0.actOnWhatIsDue(by: kind) }
      }
      guard let alarm else { return false }
      deadlines.use(alarm, by: kind)
    }
    return true
  }

  /// Records when the next timers of a tree go off.
  func timersHaveChanged(_ root: CoordinatorPath, _ next: NextTimers) {
    let timer = Deadline.timer(String(root.root))
    deadlines.set(timer, by: .wall, at: next.wall)
    setEnd(of: timer, next.elapsed)
  }

  /// Records when a duration is over by the clock that nobody can set; nil for never.
  func setEnd(of duration: Deadline, _ end: UInt64?) {
    deadlines.set(duration, by: .elapsed, at: end)
    guard let end, !notesTime, environments.journal != nil else { return }
    let next = clock.read(.elapsed) + Self.noteInterval
    if end > next { noteTime(at: next) }
  }

  /// How often the journal notes while durations wait that the machine runs, in microseconds. If the power fails, the time
  /// since does not count.
  static let noteInterval: UInt64 = 600_000_000

  private func noteTime(at time: UInt64) {
    notesTime = true
    deadlines.set(.noteTime, by: .elapsed, at: time)
  }

  private func noteTime() {
    notesTime = false
    environments.journal?.note(clock.elapsed)
    if !deadlines.isEmpty(by: .elapsed) { noteTime(at: clock.read(.elapsed) + Self.noteInterval) }
  }

  private func actOnWhatIsDue(by kind: ClockTimer.Clock) {
    for deadline in deadlines.haveCome(by: kind, at: clock.read(kind)) {
      switch deadline {
      case .timeout(let name): close(name, isTimeout: true)
      case .timer(let name): roots.tree(name)?.fireTimer()
      case .noteTime: noteTime()
      }
    }
  }

  // MARK: The daemon

  /// Answers the calls that have arrived, and prevents flows from being started. Stored flows continue in the next
  /// daemon.
  func close() async {
    // The limit keeps a stuck handler from delaying the end of the daemon. During the restoration there is no point in
    // waiting: calls that wait for trees to be restored will not be answered.
    if restoration.isDone { await connection.answerCalls(for: .seconds(3)) }
    isClosing = true
    if !roots.isEmpty { environments.journal?.note(clock.elapsed) }
  }

  /// Ends all flows, newest first, and waits until their ends are announced on the bus. Used when nothing is persisted,
  /// so that no flow would outlive the daemon anyway.
  func endAll() async {
    isClosing = true
    isEndingAll = true
    for root in roots.liveInOrder.reversed() { root.tree.close(isTimeout: false) }
    guard !roots.live.isEmpty else { return }
    // A stuck handler must not delay the end of the daemon.
    connection.loop.schedule(after: .seconds(5)) { self.assumeIsolated { $0.resumeDrainWaiters() } }
    await withCheckedContinuation { drainWaiters.append($0) }
  }

  func resumeDrainWaiters() {
    for waiter in drainWaiters { waiter.resume() }
    drainWaiters = []
  }

  // MARK: Idleness

  /// Called when the number of flows or renderers has changed.
  func activityHasChanged() {
    status.update(flows: roots.activeCount, renderers: clients.rendererCount)
    if idleTimes != nil { follow(idleWatch.update(hasFlows: mayHaveFlows)) }
  }

  /// Continues to serve although the service manager was notified that the daemon is stopping.
  func goOn() {
    activityHasChanged()
    status.keepAskingForTime()
  }

  /// Whether the daemon can end without leaving a flow or an unanswered call behind.
  var isIdle: Bool {
    restoration.isDone && roots.isEmpty && !connection.assumeIsolated { $0.hasUnansweredCalls }
  }

  /// Applies a changed idle time, which starts now.
  func idleTimeHasChanged() {
    if idleTimes != nil { follow(idleWatch.change(to: configuration.idleExit, hasFlows: mayHaveFlows)) }
  }

  /// Flows that a connection serves exist only while the daemon runs, so it stays.
  private var mayHaveFlows: Bool {
    roots.activeCount > 0 || !restoration.isDone || provider.withTable { $0.hasUnfiled }
  }

  private func follow(_ step: IdleWatch.Step) {
    switch step {
    case .nothing: break
    case .wait(let time):
      idleTimer?.cancel()
      idleTimer = connection.loop.schedule(after: time) { [weak self] in
        self?.assumeIsolated { host in host.follow(host.idleWatch.timeIsUp(isIdle: host.isIdle)) }
      }
    case .stopWaiting:
      idleTimer?.cancel()
      idleTimer = nil
    case .isIdle:
      idleTimer = nil
      idleTimes?.tell()
    }
  }
}
