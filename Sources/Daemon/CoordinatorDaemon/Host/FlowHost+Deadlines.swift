/// Ends flows at their deadlines. Deadlines are wall-clock times, which remain valid if the machine is suspended or its
/// clock is set.
extension FlowHost {
  /// Creates the alarm that serves all deadlines.
  ///
  /// - Returns: whether the system had a timer left.
  func makeAlarm() -> Bool {
    alarm = clock.makeAlarm(connection.loop) { [weak self] in self?.assumeIsolated { $0.endWhatIsDue() } }
    return alarm != nil
  }

  /// Sets the deadline of a tree, in microseconds since 1970.
  func end(_ root: LiveRoot, at deadline: UInt64) {
    deadlines.set(root.name, at: deadline)
    setAlarm()
  }

  /// Removes the deadline of a tree that has ended.
  func forgetDeadline(of root: LiveRoot) {
    guard root.request.deadline != nil else { return }
    deadlines.remove(root.name)
    setAlarm()
  }

  /// Ends the flows that are due by the clock, which may have been set since the alarm was.
  private func endWhatIsDue() {
    alarmTime = nil
    for name in deadlines.takeDue(at: clock.now()) { close(name, isTimeout: true) }
    setAlarm()
  }

  private func setAlarm() {
    let next = deadlines.next
    guard next != alarmTime else { return }
    alarmTime = next
    alarm?.set(next)
  }
}
