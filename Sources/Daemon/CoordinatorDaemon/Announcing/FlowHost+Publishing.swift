import CoordinatorBus
import CoordinatorKit
import DBus

/// Adopts stored transitions, and announces them on the bus.
extension FlowHost: TreeObserver {
  func publish(_ publication: Publication) {
    let name = String(publication.state.root.root)
    let before = roots.live[name]?.state
    // A tree that was abandoned in the meantime is not known any more, and its end has been announced.
    guard publication.isStart ? hasStarted(publication.state) : roots.hasChanged(publication) else { return }
    let renderers = roots.live[name]?.clients.renderers ?? [:]
    // Must come before the signals, so that a client that receives a signal of the end finds no object.
    let outcome = publication.state.outcomes[publication.state.root].map { ToldOutcome(outcome: $0, wasStopped: isEndingAll) }
    let ended = outcome.flatMap { roots.hasEnded(name, $0) }
    let flow = roots.live[name]?.request.flow ?? ended?.request.flow
    let announcement = Announcement(publication, before: before, flow: flow, renderers: renderers)
    let hearers = hearers(of: flow, renderers)
    bus.send(announcement.beginning, to: hearers)
    bus.sendUntilOneFails(announcement.screens, to: hearers)
    if let ended { releaseClients(of: name, owner: ended.request.sender, ended.clients) }
    if publication.isStart || ended != nil { activityHasChanged() }
    bus.send(announcement.ending, to: hearers)
    if let ended, let outcome { answerEnded(ended, outcome) }
    if publication.isStart { answerStarted(name) }
    tellProviders(of: publication.ended, before: before)
    if providedFlows.isUsed {
      provider.note(publication.state, at: publication.touched.union(publication.ended.lazy.map(\.path)))
    }
    log.log(publication, of: flow, before: before)
  }

  func publish(live: [Publication.Updated], of state: TreeState) {
    let before = roots.live[String(state.root.root)]?.holds ?? [:]
    guard roots.hasShown(live, of: state) else { return }
    let router = state.root.routerPath
    let hearers = hearers(of: String(state.root.root))
    for updated in live {
      let changed = updated.screen.vardict(only: updated.keys)
      let removed = updated.keys.map(\.rawValue).filter { changed[$0] == nil }.sorted()
      bus.send([.ofRouter(router, .live(screen: updated.screen.id.number, changed: changed, removed: removed))], to: hearers)
    }
    let holds = roots.live[String(state.root.root)]?.holds ?? [:]
    let changed = Set(before.keys).union(holds.keys).filter { before[$0] != holds[$0] && state.coordinators[$0] != nil }
    for path in changed.sorted(by: { $0.text < $1.text }) {
      bus.send([.changed("Held", interface: Contract.coordinatorInterface, path.objectPath)], to: hearers)
      if let reason = state.hold(of: path) { log.logHeld(path, reason: reason) }
    }
  }

  private func answerEnded(_ root: LiveRoot, _ outcome: ToldOutcome) {
    if root.request.timeout != nil { deadlines.remove(.timeout(root.name)) }
    deadlines.remove(.timer(root.name))
    progress.forget(root.state.root)
    root.clients.waiters.answer(endOf: root, outcome)
    log.logFailure(outcome.outcome, of: root)
    for sender in Set(root.clients.waiters.map(\.call.sender)) { untrackIfIdle(sender) }
    if roots.live.isEmpty { resumeDrainWaiters() }
  }

  // MARK: Progress

  /// Announces progress. Progress is not part of a transition: it is sent separately, and merged into the published
  /// screens that clients read.
  nonisolated func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {
    guard let delay = self.progress.note(progress, on: screen, of: root) else { return }
    connection.loop.schedule(after: delay) { self.assumeIsolated { $0.tellProgress(of: root) } }
  }

  private func tellProgress(of root: CoordinatorPath) {
    guard let shown = roots.show(progress.take(of: root), of: root) else { return progress.forget(root) }
    let router = root.routerPath
    let hearers = hearers(of: String(root.root))
    for (screen, progress) in shown {
      bus.send([.ofRouter(router, .progress(screen: screen.number, progress: progress))], to: hearers)
    }
  }
}
