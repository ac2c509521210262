import CoordinatorJournal
import CoordinatorKit
import DBus

/// Restores the stored trees of a host, and tries held ones again. Runs concurrently with the event loop.
struct HostRestorer: Sendable {
  let host: FlowHost

  /// Restores all trees after a restart.
  ///
  /// - Parameter journal: the journal to restore from, which also stores all transitions from now on.
  /// - Throws: `JournalError` if the roots cannot be read. The host must not serve then, because it would store new trees
  ///   beside them.
  func restore(from journal: Journal) async throws(JournalError) {
    let (services, start) = (host.services, ContinuousClock.now)
    let clock = services.clock
    let stored = try await journal.roots()
    if !clock.isBootKnown {
      services.logger.warning(
        "/proc/sys/kernel/random/boot_id cannot be read: after a restart of the daemon, timeouts and timers go on by the wall clock"
      )
    }
    let machine = clock.isBootKnown ? await journal.startOfMachine(now: clock.moment) : MachineStart(clock.moment)
    services.environments.use(journal, since: machine)
    let first = await host.run { $0.restored.begin(stored) }
    await restorer(of: journal).run(first) { await take($0).next }
    // If the daemon is ending, waiting calls must not be answered as if their flows did not exist.
    guard !Task.isCancelled else { return }
    let held = await host.run { parts in
      parts.restored.end()
      return parts.roots.held.count
    }
    services.log.logRestored(stored, held: held, in: start.duration(to: .now))
  }

  /// Tries again to restore the held trees, and to ask for the held coordinators of live trees.
  ///
  /// - Returns: the number of trees that were restored, and of coordinators that are no longer held.
  func retry() async -> Int {
    let roots = await host.run { $0.roots.held.retryable }
    return await retry(roots) + retryCoordinators()
  }

  private func retry(_ roots: [StoredRoot]) async -> Int {
    guard let restorer = host.services.environments.journal.map(restorer(of:)) else { return 0 }
    var (count, left) = (0, roots[...])
    while !left.isEmpty {
      let batch = Array(left.prefix(TreeRestorer.batch))
      left = left.dropFirst(TreeRestorer.batch)
      count += await take(restorer.takeUp(batch, restorer.readings(of: batch))).takenUp
    }
    return count
  }

  private func retryCoordinators() async -> Int {
    let roots = await host.run { $0.roots.liveInOrder.filter { !$0.state.holds.isEmpty } }
    var count = 0
    for root in roots {
      await withCheckedContinuation { done in root.tree.retryHeld { _ in done.resume() } }
      // An event that cannot be handled holds its coordinator again before it is answered.
      let still = await host.run { $0.roots.live[root.name]?.state.holds ?? [] }
      count += root.state.holds.filter { !still.contains($0) }.count
    }
    return count
  }

  private func take(_ results: [RestoringAttempt.Entry]) async -> (takenUp: Int, next: [StoredRoot]) {
    await host.run { $0.restored.take(results) }
  }

  private func restorer(of journal: Journal) -> TreeRestorer {
    TreeRestorer(
      trees: { roots throws(JournalError) in try await journal.trees(of: roots) },
      environment: { [host] in host.services.environments.restoring($0, for: host) },
      watch: watch)
  }

  /// Restoring a tree may take as long as a handler.
  private var watch: TreeRestorer.Watch {
    let deadline = host.services.handlers.deadline
    return TreeRestorer.Watch(deadline: deadline) { [loop = host.services.connection.loop] body in
      let timer = loop.schedule(after: deadline, body)
      return { timer.cancel() }
    }
  }
}
