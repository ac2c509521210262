import CoordinatorKit

/// A handler that does not return fails its tree (rule 2). The loop has gone on with a spare thread by then; whose handler it was is found by
/// looking at which trees are still at the same event when the deadline has passed.
extension FlowHost {
  /// Called when a spare thread has taken the loop over.
  nonisolated func loopWasTakenOver() {
    connection.loop.post { self.assumeIsolated { $0.watchBusyTrees() } }
  }

  private func watchBusyTrees() {
    let busy: [(String, UInt64)] = roots.trees.compactMap { name, tree in tree.currentTurn.map { (name, $0) } }
    guard !busy.isEmpty else { return }
    logger.info("handlers take long", metadata: ["coordinators": "\(busy.map(\.0).sorted().joined(separator: " "))"])
    connection.loop.schedule(after: configuration.handlerDeadline) {
      self.assumeIsolated { host in
        for (name, turn) in busy { host.giveUp(name, ifStillAt: turn) }
        // A thread that was overtaken is not watched by the loop any more: who is busy by now may be stuck on it.
        host.watchBusyTrees()
      }
    }
  }

  private func giveUp(_ name: String, ifStillAt turn: UInt64) {
    guard let tree = roots.tree(name), tree.currentTurn == turn else { return }
    let failure = Failure(code: "not-responding", message: "a handler did not return in \(configuration.handlerDeadline)")
    logger.error("a handler does not return, its flow is given up", metadata: ["coordinator": "\(name)"])
    guard let live = roots.live[name] else { return giveUpStart(name, tree, failure) }
    publish(tree.abandon(published: live.state, failure: failure))
  }

  private func giveUpStart(_ name: String, _ tree: FlowTree, _ failure: Failure) {
    tree.abandonStart()
    hasNotStarted(name, .failed(failure))
  }
}
