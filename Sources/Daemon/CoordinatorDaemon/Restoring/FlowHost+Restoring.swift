import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// Restores the trees of a previous daemon while serving (rule 10). A call for a tree that has not been restored yet
/// waits for it. A tree that cannot be restored is held.
extension FlowHost {
  /// Restores all trees. Runs concurrently with the event loop.
  ///
  /// - Parameter journal: the journal to restore from, which also stores everything from now on.
  /// - Throws: `JournalError` if the roots cannot be read. The host must not serve then, since it would store new trees
  ///   beside them.
  nonisolated func restore(from journal: Journal) async throws(JournalError) {
    let start = ContinuousClock.now
    let stored = try await journal.roots()
    if !clock.isBootKnown {
      logger.warning(
        "/proc/sys/kernel/random/boot_id cannot be read: after a restart of the daemon, timeouts and timers go on by the wall clock"
      )
    }
    let machine = clock.isBootKnown ? await journal.startOfMachine(now: clock.moment) : MachineStart(clock.moment)
    environments.use(journal, since: machine)
    await restorer(of: journal).run(begin(stored)) { await self.take($0).next }
    // If the daemon is ending, waiting calls must not be answered as if their flows did not exist.
    guard !Task.isCancelled else { return }
    await endRestoration()
    log.logRestored(stored, held: await roots.held.count, in: start.duration(to: .now))
  }

  nonisolated func restorer(of journal: Journal) -> TreeRestorer {
    TreeRestorer(
      trees: { roots throws(JournalError) in try await journal.trees(of: roots) },
      environment: { self.environments.restoring($0, for: self) },
      watch: restoringWatch)
  }

  /// Restoring a tree may take as long as a handler.
  private nonisolated var restoringWatch: TreeRestorer.Watch {
    let deadline = handlerWatch.withLock { $0.deadline }
    return TreeRestorer.Watch(deadline: deadline) { [loop = connection.loop] body in
      let timer = loop.schedule(after: deadline, body)
      return { timer.cancel() }
    }
  }

  private func begin(_ stored: StoredRoots) -> [StoredRoot] {
    let (stored, nameless) = stored.divided()
    for name in nameless { log.logNameless(name) }
    roots.load(stored)
    for root in roots.held.all.sorted(by: { $0.sequence < $1.sequence }) {
      log.logHeld(root.name, flow: root.flow, reason: root.reason)
    }
    redeliver(restoration.begin(stored.live))
    return restoration.next(TreeRestorer.batch)
  }

  /// Makes restored trees live, and holds those that cannot be restored.
  ///
  /// - Returns: the number of trees that were restored; and the roots to restore next after a restart, none if the
  ///   daemon is ending.
  func take(_ results: [RestoringAttempt.Entry]) -> (takenUp: Int, next: [StoredRoot]) {
    var count = 0
    for (root, result) in results {
      switch result {
      case .takenUp(let tree, let state): count += hasRestored(root, tree, state) ? 1 : 0
      case .held(let outline, let reason): hold(root, outline, reason: reason)
      }
      redeliver(restoration.hasEnded(root.name))
    }
    return (count, Task.isCancelled ? [] : restoration.next(TreeRestorer.batch))
  }

  private func hasRestored(_ root: StoredRoot, _ tree: FlowTree, _ state: TreeState) -> Bool {
    guard let (live, before) = roots.hasRestored(root, tree, state) else { return false }
    if let before {
      bus.send(
        Announcement.difference(between: before, and: .live(live)), to: hearers(of: root.flow, live.clients.renderers))
      log.logRestoredAgain(root)
    }
    if providedFlows.isUsed { provider.note(state, at: state.coordinators.keys) }
    if let timeout = root.timeout {
      let startedAt = state.coordinators[state.root]?.startedAt ?? 0
      let continued = timeout.continued(from: startedAt, since: environments.startOfMachine)
      setEnd(of: .timeout(root.name), continued.lapse?.end)
    }
    if let owner = root.owner { bind(live, to: owner) }
    if !live.clients.renderers.isEmpty { tree.set(hasRenderer: true) }
    if state.hasToResume { Task(executorPreference: globalConcurrentExecutor) { await tree.resume() } }
    return true
  }

  /// Ends a root when its caller leaves the bus. If the caller left while no daemon was running, ends the root now.
  private func bind(_ root: LiveRoot, to owner: StoredRoot.Owner) {
    guard owner.bus == busID else { return close(root.name, isTimeout: false) }
    track(owner.name)
    _ = clients.bind(root.name, to: owner.name)
  }

  private func hold(_ root: StoredRoot, _ outline: TreeOutline?, reason: String) {
    let before = roots.hold(root, outline, reason: reason)
    // The tree may have been dismissed during the attempt.
    guard let after = roots.held[root.name] else { return }
    if let before {
      return bus.send(
        Announcement.difference(between: before, and: .held(after)), to: hearers(of: root.flow, after.clients.renderers))
    }
    // The caller is watched nevertheless: once it leaves, its flows no longer count against its limit.
    if let owner = root.owner, owner.bus == busID { track(owner.name) }
    log.logHeld(root.name, flow: root.flow, reason: reason)
  }

  private func endRestoration() {
    redeliver(restoration.end())
    activityHasChanged()
  }

  func redeliver(_ calls: [IncomingCall]) {
    guard !calls.isEmpty else { return }
    connection.assumeIsolated { connection in
      for call in calls { connection.deliver(call) }
    }
  }
}
