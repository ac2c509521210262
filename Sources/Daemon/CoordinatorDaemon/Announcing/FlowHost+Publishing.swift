import CoordinatorBus
import CoordinatorKit
import DBus

/// Takes over stored transitions and tells the bus of them.
extension FlowHost: TreeObserver {
  func publish(_ publication: Publication) {
    let name = String(publication.state.root.root)
    let before = roots.live[name]?.state
    if publication.isStart {
      guard hasStarted(publication.state) != nil else { return }
    } else if !roots.hasChanged(
      publication.state,
      hasOthers: !publication.started.isEmpty || !publication.ended.isEmpty || !publication.drafted.isEmpty)
    {
      // The tree was given up meanwhile; the world has been told.
      return
    }
    forgetProgress(publication, name)
    let renderers = roots.live[name]?.clients.renderers ?? [:]
    // First of all, so that whoever sees a signal of its end finds no object.
    let ended = publication.state.outcomes[publication.state.root].flatMap { roots.hasEnded(name, $0) }
    let announcement = Announcement(publication, before: before, flow: flow(of: publication), renderers: renderers)
    bus.send(announcement.beginning)
    bus.sendUntilOneFails(announcement.screens)
    if let ended { releaseClients(of: ended) }
    if publication.isStart || ended != nil { activityHasChanged() }
    bus.send(announcement.ending)
    if let ended { answerEnded(ended, publication) }
    if publication.isStart { answerStarted(name) }
    log.log(publication, of: flow(of: publication), before: before)
  }

  private func answerEnded(_ root: LiveRoot, _ publication: Publication) {
    forgetDeadline(of: root)
    progress.forget(publication.state.root)
    guard let outcome = publication.state.outcomes[publication.state.root] else { return }
    answer(root.clients.waiters, of: root, outcome)
    if case .failed(let failure) = outcome {
      logger.notice(
        "flow failed",
        metadata: [
          "flow": "\(root.request.flow)", "coordinator": "\(root.name)", "code": "\(failure.code)",
          "reason": "\(failure.message)",
        ])
    }
    for sender in Set(root.clients.waiters.map(\.call.sender)) { untrackIfIdle(sender) }
    if roots.live.isEmpty { resumeDrainWaiters() }
  }

  /// The name of the flow that a tree belongs to.
  func flow(of publication: Publication) -> String? {
    let name = String(publication.state.root.root)
    return roots.live[name]?.request.flow ?? roots.ended[name]?.flow
  }
}
