import Languages

/// Holds coordinators (rule 1): an event that nobody waits for, and that cannot be handled, is not lost, and costs
/// nobody the flow.
extension FlowTree {
  /// Tries the events again that held coordinators wait for.
  ///
  /// - Parameter reply: called once from any thread, when all have been tried.
  public nonisolated func retryHeld(reply: @escaping Reply = { _ in }) { post(Posted(.retry, reply)) }

  /// Holds a coordinator until an event can be handled. The event has been dropped, and nothing has changed.
  ///
  /// - Parameters:
  ///   - path: the coordinator.
  ///   - reason: why the event cannot be handled.
  ///   - posted: the event, for which nobody waits.
  func hold(_ path: CoordinatorPath, because reason: String, _ posted: Posted) async {
    keepBack(posted, of: path)
    await setHold(of: path, to: reason)
    if case .timer = posted.cause { environment.whenTimersChange(root, state.nextDue) }
  }

  /// Keeps an event back for a coordinator that is held already.
  ///
  /// - Returns: whether it is.
  func isKeptBack(_ posted: Posted) -> Bool {
    guard posted.cause.isOfWork, let path = posted.cause.coordinator, state.hold(of: path) != nil else { return false }
    keepBack(posted, of: path)
    return true
  }

  /// Tries again what was kept back, in order.
  func retryHolds() async {
    let paths = state.coordinatorsInOrder.filter { $0.hold != nil }.map(\.path)
    var events: [Cause] = []
    for path in paths {
      events += keptBack.removeValue(forKey: path) ?? []
      await setHold(of: path, to: nil)
    }
    for cause in events where state.isAlive {
      let posted = Posted(cause)
      if !isKeptBack(posted) { await transact(posted) }
    }
    environment.whenTimersChange(root, state.nextDue)
  }

  private func keepBack(_ posted: Posted, of path: CoordinatorPath) {
    // A timer is still among those of its coordinator, and goes off again once that is not held any more.
    if posted.cause.isOfWork { keptBack[path, default: []].append(posted.cause) }
    posted.reply(.success(.revision(state.revision)))
  }

  private func setHold(of path: CoordinatorPath, to reason: String?) async {
    guard state.coordinators[path] != nil, state.hold(of: path) != reason else { return }
    let language = state.language.flatMap(environment.catalogue.translations.language(for:))
    let updates = Translation.$current.withValue(language) { state.setHold(of: path, to: reason) }
    await environment.observer.publish(live: updates, of: state)
  }
}

extension Cause {
  /// Whether it belongs to a piece of work, or to secrets, of one coordinator.
  fileprivate var isOfWork: Bool {
    switch self {
    case .work, .interruption, .lostSecrets: true
    case .start, .call, .close, .timer, .live, .renderers, .retry: false
    }
  }
}
