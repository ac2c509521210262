import Languages

/// Holds coordinators (rule 1): an event that no caller waits for, and that cannot be handled, is kept, and the flow goes
/// on.
extension FlowTree {
  /// Retries the events that held coordinators wait for.
  ///
  /// - Parameter reply: called once from any thread, when all have been tried.
  public nonisolated func retryHeld(reply: @escaping Reply = { _ in }) { post(Posted(.retry(.all), reply)) }

  /// Retries the events that wait for providers, because flows are served again.
  package nonisolated func retryServed() { post(Posted(.retry(.served))) }

  /// Holds a coordinator until an event can be handled. The event has been dropped, and nothing has changed.
  ///
  /// - Parameters:
  ///   - path: the coordinator.
  ///   - obstacle: why the event cannot be handled.
  ///   - posted: the event, for which no caller waits.
  func hold(_ path: CoordinatorPath, because obstacle: Hold.Obstacle, _ posted: Posted) async {
    if obstacle != .same {
      let previous = state.coordinators[path]?.hold ?? (retried?.path == path ? retried?.hold : nil)
      let hold = Hold(obstacle, after: previous)
      await setHold(of: path, to: hold)
      if let delay = hold.delay {
        environment.schedule(delay) { [weak self] in self?.post(Posted(.retry(.due(path, hold)))) }
      }
    }
    keepBack(posted, of: path)
    if case .timer = posted.cause { environment.whenTimersChange(root, state.nextTimers) }
  }

  /// Keeps an event back for a coordinator that is held already.
  ///
  /// - Returns: whether it is.
  func isKeptBack(_ posted: Posted) -> Bool {
    guard posted.cause.isKept, let path = posted.cause.coordinator, state.hold(of: path) != nil else { return false }
    keepBack(posted, of: path)
    return true
  }

  /// Retries what held coordinators wait for: events in the order in which they arrived, then timers that are due.
  func retryHolds(_ retry: HoldRetry) async {
    for record in state.coordinatorsInOrder {
      guard let hold = record.hold, !isAbandoned else { continue }
      var isWanted = false
      switch retry {
      case .all: isWanted = true
      case .served: guard hold.ends(by: { environment.catalogue.provided?.server(of: $0) }) else { continue }
      case .due(let path, let due): guard record.path == path, hold === due else { continue }
      }
      await self.retry(record, hold, isWanted: isWanted)
    }
    if !isAbandoned { environment.whenTimersChange(root, state.nextTimers) }
  }

  /// The coordinator that is being tried again because a client has asked for that.
  var wantedRetry: CoordinatorPath? { retried.flatMap { $0.isWanted ? $0.path : nil } }

  private func retry(_ record: CoordinatorRecord, _ hold: Hold, isWanted: Bool) async {
    let path = record.path
    let events = keptBack.filter { $0.path == path }
    keptBack.removeAll { $0.path == path }
    retried = Retrial(of: path, hold, isWanted: isWanted)
    defer { retried = nil }
    // Only told if it does not have to be held again.
    _ = state.setHold(of: path, to: nil)
    knownFlows = .max
    var patience = ProviderPatience(environment.limits.maxProviderTime)
    await migrate(for: Posted(.retry(.all)), &patience)
    for _ in record.belongings.childEnds where state.isAlive && !isAbandoned && state.coordinators[path]?.hold == nil {
      await retry(Posted(.childEnd(path)), of: path)
    }
    for (_, cause) in events where state.isAlive && !isAbandoned {
      let posted = Posted(cause)
      if !isKeptBack(posted) { await retry(posted, of: path) }
    }
    let moment = environment.moment
    let due = record.timers.count { $0.isDue(at: moment) }
    for _ in 0..<due where state.isAlive && !isAbandoned && state.coordinators[path]?.hold == nil {
      await retry(Posted(.timer(moment)), of: path)
    }
    guard !isAbandoned, state.coordinators[path] != nil, state.hold(of: path) == nil else { return }
    let updates = state.window.ids(of: path).compactMap { state.window[$0] }.map {
      Publication.Updated(screen: $0, keys: [.messages])
    }
    await environment.observer.publish(live: updates, of: state)
  }

  private func retry(_ posted: Posted, of path: CoordinatorPath) async {
    await transact(posted)
    if state.coordinators[path]?.hold == nil { retried?.succeed() }
  }

  private func keepBack(_ posted: Posted, of path: CoordinatorPath) {
    // A timer is still among those of its coordinator, and goes off again once that is not held any more.
    if posted.cause.isKept { keptBack.append((path, posted.cause)) }
    posted.reply(.failure(.held(path, state.hold(of: path) ?? "")))
  }

  private func setHold(of path: CoordinatorPath, to hold: Hold) async {
    guard state.coordinators[path] != nil else { return }
    let language = state.language.flatMap(environment.catalogue.translations.language(for:))
    let updates = Translation.$current.withValue(language) { state.setHold(of: path, to: hold) }
    await environment.observer.publish(live: updates, of: state)
  }
}

extension Cause {
  /// Whether it is kept while its coordinator is held: it belongs to a piece of work, or to secrets, of that one.
  fileprivate var isKept: Bool {
    switch self {
    case .work, .interruption, .lostSecrets: true
    case .start, .call, .close, .timer, .live, .renderers, .looking, .retry, .workResult, .childEnd, .migration: false
    }
  }
}
