import CoordinatorKit
import DBus

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
  nonisolated func watchHandlers() { handlerWatch.withLock { $0.treeIsBusy(scheduleCheck) } }

  private nonisolated func scheduleCheck(after delay: Duration) -> ScheduledTimer {
    connection.loop.schedule(after: delay) { self.assumeIsolated { $0.checkHandlers() } }
  }

  private func checkHandlers() {
    handlerWatch.withLock { $0.hasFired() }
    let busy = roots.trees.filter { $0.1.currentTurn != nil }.map { BusyTree(name: $0.0, since: $0.1.handlingSince) }
    let (stuck, next) = handlerWatch.withLock { $0.check(busy, at: .now) }
    for tree in stuck { giveUp(tree) }
    if let next { scheduleNextCheck(after: next) }
  }

  private func scheduleNextCheck(after delay: Duration) {
    handlerWatch.withLock { $0.lookAgain(after: delay, scheduleCheck) }?.cancel()
  }

  /// Applies the configured deadline, including to handlers that are already running.
  func handlerDeadlineHasChanged() {
    if handlerWatch.withLock({ $0.change(deadline: configuration.handlerDeadline) }) { scheduleNextCheck(after: .zero) }
  }

  private func giveUp(_ stuck: BusyTree) {
    guard let since = stuck.since, let tree = roots.tree(stuck.name) else { return }
    let failure = Failure(code: "not-responding", technical: "a handler did not return within \(configuration.handlerDeadline)")
    if let live = roots.live[stuck.name] {
      guard let end = tree.abandon(handlingSince: since, published: live.state, failure: failure) else { return }
      Task { await conclude(end, of: tree) }
    } else {
      guard tree.abandonStart(handlingSince: since) else { return }
      hasNotStarted(stuck.name, .failed(failure))
    }
    logger.error("a handler does not return; giving up its flow", metadata: ["coordinator": "\(stuck.name)"])
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
