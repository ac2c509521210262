import CoordinatorKit
import DBus

/// A handler that does not return fails its tree (rule 2), whatever keeps it: it spins, or it waits for its actor, which is busy with something
/// that the flow left behind.
extension FlowHost {
  /// Called when a spare thread has taken the loop over.
  nonisolated func loopWasTakenOver() {
    connection.loop.post { self.assumeIsolated { $0.logBusyTrees() } }
  }

  private func logBusyTrees() {
    let names = roots.trees.filter { $0.1.handlingSince != nil }.map(\.0).sorted()
    logger.info("handlers take long", metadata: ["coordinators": "\(names.joined(separator: " "))"])
  }

  /// Sees to it that somebody looks when a handler may have taken too long; called when a tree begins to take turns, from any thread.
  nonisolated func watchHandlers() {
    handlerTimer.withLock { timer in
      if timer == nil { timer = scheduleLook(after: configuration.handlerDeadline) }
    }
  }

  private nonisolated func scheduleLook(after delay: Duration) -> ScheduledTimer {
    connection.loop.schedule(after: delay) { self.assumeIsolated { $0.giveUpStuckTrees() } }
  }

  /// Gives up the trees whose time is over, and looks again when that of the next one may be. Nobody looks while all trees are idle.
  private func giveUpStuckTrees() {
    // First of all: a tree that begins from here on sets a timer, and one that has begun before is among the busy ones.
    handlerTimer.withLock { $0 = nil }
    let now = ContinuousClock.now
    var nextLook: Duration?
    for (name, tree) in roots.trees where tree.currentTurn != nil {
      let since = tree.handlingSince
      let left = configuration.handlerDeadline - (since ?? now).duration(to: now)
      if let since, left <= .zero { giveUp(name, tree, handlingSince: since) } else { nextLook = min(left, nextLook ?? left) }
    }
    guard let nextLook else { return }
    handlerTimer.withLock { timer in
      timer?.cancel()
      timer = scheduleLook(after: nextLook)
    }
  }

  private func giveUp(_ name: String, _ tree: FlowTree, handlingSince: ContinuousClock.Instant) {
    let failure = Failure(code: "not-responding", message: "a handler did not return in \(configuration.handlerDeadline)")
    if let live = roots.live[name] {
      guard let end = tree.abandon(handlingSince: handlingSince, published: live.state, failure: failure) else { return }
      Task { await conclude(end, of: tree) }
    } else {
      guard tree.abandonStart(handlingSince: handlingSince) else { return }
      hasNotStarted(name, .failed(failure))
    }
    logger.error("a handler does not return, its flow is given up", metadata: ["coordinator": "\(name)"])
  }

  /// Stores, publishes and answers the end of a tree that was given up. It is told even if it cannot be stored, since it is so.
  private func conclude(_ abandoned: (end: Publication, answer: @Sendable () -> Void), of tree: FlowTree) async {
    do {
      try await tree.environment.store?.commit(abandoned.end)
    } catch {
      logger.error("the end of a flow cannot be stored", metadata: ["coordinator": "\(tree.root)", "error": "\(error)"])
    }
    publish(abandoned.end)
    abandoned.answer()
  }
}
