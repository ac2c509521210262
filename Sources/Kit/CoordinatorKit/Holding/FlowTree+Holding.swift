import Languages

/// Holds coordinators (rule 1): an event that no caller waits for, and that cannot be handled, is kept, and the flow goes
/// on.
extension FlowTree {
  /// Retries the events that held coordinators wait for.
  ///
  /// - Parameter reply: called once from any thread, when all have been tried.
  public nonisolated func retryHeld(reply: @escaping Reply = { _ in }) { post(Posted(.retry, reply)) }

  /// Holds a coordinator until an event can be handled. The event has been dropped, and nothing has changed.
  ///
  /// - Parameters:
  ///   - path: the coordinator.
  ///   - reason: why the event cannot be handled.
  ///   - posted: the event, for which no caller waits.
  func hold(_ path: CoordinatorPath, because reason: String, _ posted: Posted) async {
    await setHold(of: path, to: reason)
    keepBack(posted, of: path)
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

  /// Retries what held coordinators wait for: events in the order in which they arrived, then timers that are due.
  func retryHolds() async {
    let events = keptBack
    keptBack = []
    let held = state.coordinatorsInOrder.filter { $0.hold != nil }
    let due = held.flatMap { $0.timers }.count { $0.due.microseconds <= environment.now() }
    for record in held { await setHold(of: record.path, to: nil) }
    for (_, cause) in events where state.isAlive && !isAbandoned {
      let posted = Posted(cause)
      if !isKeptBack(posted) { await transact(posted) }
    }
    for _ in 0..<due where state.isAlive && !isAbandoned { await transact(Posted(.timer)) }
    guard !isAbandoned else { return }
    environment.whenTimersChange(root, state.nextDue)
  }

  private func keepBack(_ posted: Posted, of path: CoordinatorPath) {
    // A timer is still among those of its coordinator, and goes off again once that is not held any more.
    if posted.cause.isOfWork { keptBack.append((path, posted.cause)) }
    posted.reply(.failure(.held(path, state.hold(of: path) ?? "")))
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
    case .start, .call, .close, .timer, .live, .renderers, .looking, .retry: false
    }
  }
}
