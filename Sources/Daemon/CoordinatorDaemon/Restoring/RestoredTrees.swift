import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus

/// Makes the trees of a previous daemon live while the host serves (rule 10). A call for a tree that has not been restored
/// yet waits for it. A tree that cannot be restored is held. Used only on the host's executor.
final class RestoredTrees {
  private let roots: RootRegistry
  private let heldBack: HeldBackCalls
  private let access: AccessPolicy
  private let clients: ClientWatch
  private let deadlines: Deadlines
  private let activity: HostActivity
  private let environments: TreeEnvironments
  private let bus: BusSender
  private let provider: BusProvider
  private let providedFlows: ProvidedFlows
  private let log: FlowLog
  private let busID: String

  /// Creates a part that has restored nothing.
  ///
  /// - Parameters:
  ///   - host: the services of the host.
  ///   - roots: keeps the trees.
  ///   - heldBack: keeps the calls that wait.
  ///   - access: decides which clients may receive a tree's signals.
  ///   - clients: watches the callers whose flows end with them.
  ///   - deadlines: keeps the timeouts of flows.
  ///   - activity: follows the number of flows and renderers.
  init(
    of host: HostServices, roots: RootRegistry, heldBack: HeldBackCalls, access: AccessPolicy, clients: ClientWatch,
    deadlines: Deadlines, activity: HostActivity
  ) {
    (environments, bus, log, busID) = (host.environments, host.bus, host.log, host.busID)
    (provider, providedFlows) = (host.provider, host.providedFlows)
    (self.roots, self.heldBack, self.access, self.clients) = (roots, heldBack, access, clients)
    (self.deadlines, self.activity) = (deadlines, activity)
  }

  /// Loads the stored roots.
  ///
  /// - Returns: the roots to restore first.
  func begin(_ stored: StoredRoots) -> [StoredRoot] {
    let (stored, nameless) = stored.divided()
    for name in nameless { log.logNameless(name) }
    roots.load(stored)
    for root in roots.held.all.sorted(by: { $0.sequence < $1.sequence }) {
      log.logHeld(root.name, flow: root.flow, reason: root.reason)
    }
    heldBack.begin(stored.live)
    return heldBack.next(TreeRestorer.batch)
  }

  /// Makes restored trees live, and holds those that cannot be restored.
  ///
  /// - Parameter results: the results.
  /// - Returns: the number of trees that were restored; and the roots to restore next after a restart, none if the
  ///   current task is cancelled because the daemon is ending.
  func take(_ results: [RestoringAttempt.Entry]) -> (takenUp: Int, next: [StoredRoot]) {
    var count = 0
    for (root, result) in results {
      switch result {
      case .takenUp(let tree, let state): count += hasRestored(root, tree, state) ? 1 : 0
      case .held(let outline, let reason): hold(root, outline, reason: reason)
      }
      heldBack.hasEnded(root.name)
    }
    return (count, Task.isCancelled ? [] : heldBack.next(TreeRestorer.batch))
  }

  private func hasRestored(_ root: StoredRoot, _ tree: FlowTree, _ state: TreeState) -> Bool {
    guard let (live, before) = roots.hasRestored(root, tree, state) else { return false }
    if let before {
      bus.send(
        Announcement.difference(between: before, and: .live(live)), to: access.hearers(of: root.flow, live.clients.renderers))
      log.logRestoredAgain(root)
    }
    if providedFlows.isUsed { provider.note(state, at: state.coordinators.keys) }
    if let timeout = root.timeout {
      let startedAt = state.coordinators[state.root]?.startedAt ?? 0
      let continued = timeout.continued(from: startedAt, since: environments.startOfMachine)
      deadlines.setEnd(of: .timeout(root.name), continued.lapse?.end)
    }
    if let owner = root.owner { bind(live, to: owner) }
    if !live.clients.renderers.isEmpty { tree.set(hasRenderer: true) }
    if state.hasToResume { Task(executorPreference: globalConcurrentExecutor) { await tree.resume() } }
    return true
  }

  /// Ends a root when its caller leaves the bus. If the caller left while no daemon was running, ends the root now.
  private func bind(_ root: LiveRoot, to owner: StoredRoot.Owner) {
    guard owner.bus == busID else { return root.tree.closeInTurn(isTimeout: false) }
    clients.track(owner.name)
    _ = clients.bind(root.name, to: owner.name)
  }

  private func hold(_ root: StoredRoot, _ outline: TreeOutline?, reason: String) {
    let before = roots.hold(root, outline, reason: reason)
    // The tree may have been dismissed during the attempt.
    guard let after = roots.held[root.name] else { return }
    if let before {
      return bus.send(
        Announcement.difference(between: before, and: .held(after)), to: access.hearers(of: root.flow, after.clients.renderers))
    }
    // The caller is watched nevertheless: once it leaves, its flows no longer count against its limit.
    if let owner = root.owner, owner.bus == busID { clients.track(owner.name) }
    log.logHeld(root.name, flow: root.flow, reason: reason)
  }

  /// Ends the restoration.
  func end() {
    heldBack.end()
    activity.hasChanged()
  }
}
