import CoordinatorKit
import DBus

/// When somebody looks whether a handler has taken too long.
struct HandlerWatch: Sendable {
  /// How long a handler may take.
  var deadline: Duration
  /// Set while any tree takes turns.
  var timer: ScheduledTimer?
}

/// A handler that does not return fails its tree (rule 2), whatever keeps it: it spins, or it waits for its actor, which is busy with something
/// that the flow left behind.
extension FlowHost {
  /// Called when a spare thread has taken the loop over.
  nonisolated func loopWasTakenOver() {
    connection.loop.post { self.assumeIsolated { $0.logBusyTrees() } }
  }

  private func logBusyTrees() {
    let names = roots.trees.filter { $0.1.handlingSince != nil }.map(\.0).sorted()
    logger.info("handlers are slow", metadata: ["coordinators": "\(names.joined(separator: " "))"])
  }

  /// Sees to it that somebody looks when a handler may have taken too long; called when a tree begins to take turns, from any thread.
  nonisolated func watchHandlers() {
    handlerWatch.withLock { watch in
      if watch.timer == nil { watch.timer = scheduleLook(after: watch.deadline) }
    }
  }

  private nonisolated func scheduleLook(after delay: Duration) -> ScheduledTimer {
    connection.loop.schedule(after: delay) { self.assumeIsolated { $0.giveUpStuckTrees() } }
  }

  /// Gives up the trees whose time is over, and looks again when that of the next one may be. Nobody looks while all trees are idle.
  private func giveUpStuckTrees() {
    // First of all: a tree that begins from here on sets a timer, and one that has begun before is among the busy ones.
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

  /// Has the deadline of the configuration hold, also for handlers that run already.
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

  /// Stores, publishes and answers the end of a tree that was given up. It is told even if it cannot be stored, since it is so.
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
