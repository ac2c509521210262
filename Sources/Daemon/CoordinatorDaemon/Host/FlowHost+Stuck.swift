import CoordinatorKit
import DBus

/// The schedule of checks for stuck handlers.
struct HandlerWatch: Sendable {
  /// How long a handler may take.
  var deadline: Duration
  /// The timer of the next check; nil while all trees are idle.
  var timer: ScheduledTimer?
}

/// Fails trees whose handlers do not return (rule 2), whatever the cause: a handler may spin, or wait for its actor,
/// which is busy with something that the flow left running.
extension FlowHost {
  /// Called when a spare thread has taken over the loop. Logs the trees whose handlers are running.
  nonisolated func loopWasTakenOver() {
    connection.loop.post { self.assumeIsolated { $0.logBusyTrees() } }
  }

  private func logBusyTrees() {
    let names = roots.trees.filter { $0.1.handlingSince != nil }.map(\.0).sorted()
    logger.info("handlers are slow", metadata: ["coordinators": "\(names.joined(separator: " "))"])
  }

  /// Schedules a check for stuck handlers, unless one is scheduled. Called from any thread when an idle tree starts to
  /// handle events.
  nonisolated func watchHandlers() {
    handlerWatch.withLock { watch in
      if watch.timer == nil { watch.timer = scheduleLook(after: watch.deadline) }
    }
  }

  private nonisolated func scheduleLook(after delay: Duration) -> ScheduledTimer {
    connection.loop.schedule(after: delay) { self.assumeIsolated { $0.giveUpStuckTrees() } }
  }

  /// Abandons the trees whose handlers have exceeded the deadline, and schedules the next check for when another
  /// handler may exceed it. No check is scheduled while all trees are idle.
  private func giveUpStuckTrees() {
    // Must come first: a tree that becomes busy after this sets a timer, and one that became busy before is found
    // below.
    handlerWatch.withLock { $0.timer = nil }
    let now = ContinuousClock.now
    var nextLook: Duration?
    for (name, tree) in roots.trees where tree.currentTurn != nil {
      let since = tree.handlingSince
      let left = configuration.handlerDeadline - (since ?? now).duration(to: now)
      if let since, left <= .zero { giveUp(name, tree, handlingSince: since) } else { nextLook = min(left, nextLook ?? left) }
    }
    guard let nextLook else { return }
    lookAgain(after: nextLook)
  }

  private func lookAgain(after delay: Duration) {
    handlerWatch.withLock { watch in
      watch.timer?.cancel()
      watch.timer = scheduleLook(after: delay)
    }
  }

  /// Applies the configured deadline, including to handlers that are already running.
  func handlerDeadlineHasChanged() {
    let deadline = configuration.handlerDeadline
    let isWatching = handlerWatch.withLock { watch in
      watch.deadline = deadline
      return watch.timer != nil
    }
    if isWatching { lookAgain(after: .zero) }
  }

  private func giveUp(_ name: String, _ tree: FlowTree, handlingSince: ContinuousClock.Instant) {
    let failure = Failure(code: "not-responding", message: "a handler did not return within \(configuration.handlerDeadline)")
    if let live = roots.live[name] {
      guard let end = tree.abandon(handlingSince: handlingSince, published: live.state, failure: failure) else { return }
      Task { await conclude(end, of: tree) }
    } else {
      guard tree.abandonStart(handlingSince: handlingSince) else { return }
      hasNotStarted(name, .failed(failure))
    }
    logger.error("a handler does not return; giving up its flow", metadata: ["coordinator": "\(name)"])
  }

  /// Stores and publishes the end of an abandoned tree, and answers its callers. The end is published even if it cannot
  /// be stored, because it has happened.
  private func conclude(_ abandoned: (end: Publication, answer: @Sendable () -> Void), of tree: FlowTree) async {
    do {
      try await tree.environment.store?.commit(abandoned.end)
    } catch {
      logger.error("cannot store the end of a flow", metadata: ["coordinator": "\(tree.root)", "error": "\(error)"])
    }
    publish(abandoned.end)
    abandoned.answer()
  }
}
