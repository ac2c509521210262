extension FlowTree {
  /// Tells coordinators of provided flows whether somebody looks at their screens, if that has changed and their flows ask
  /// for it.
  func tellWhoIsLookedAt() {
    let now = hasRenderer ? state.window.top.flatMap { wantsToKnow($0.coordinator) ? $0.coordinator : nil } : nil
    guard now != lookedAt else { return }
    if let path = lookedAt, wantsToKnow(path) { post(Posted(.looking(path, false))) }
    if let path = now { post(Posted(.looking(path, true))) }
    lookedAt = now
  }

  private func wantsToKnow(_ path: CoordinatorPath) -> Bool {
    guard let record = state.coordinators[path] else { return false }
    return environment.catalogue[record.flow]?.wantsLooking == true
  }
}
