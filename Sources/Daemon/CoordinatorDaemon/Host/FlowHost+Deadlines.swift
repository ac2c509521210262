/// Ends flows whose time is up: by the clock on the wall, whether the machine slept meanwhile or its clock was set.
extension FlowHost {
  /// Makes the one alarm for all deadlines.
  ///
  /// - Returns: whether the system has one.
  func makeAlarm() -> Bool {
    alarm = clock.makeAlarm(connection.loop) { [weak self] in self?.assumeIsolated { $0.endWhatIsDue() } }
    return alarm != nil
  }

  /// Ends a tree when its time is up, in microseconds since 1970.
  func end(_ root: LiveRoot, at deadline: UInt64) {
    deadlines.set(root.name, at: deadline)
    setAlarm()
  }

  /// Forgets the time of a tree that has ended.
  func forgetDeadline(of root: LiveRoot) {
    guard root.request.deadline != nil else { return }
    deadlines.remove(root.name)
    setAlarm()
  }

  /// The alarm says when to look, the clock what is due: it may have been set since.
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
