import CoordinatorBus
import CoordinatorKit
import DBus

/// Tells the bus of stored transitions; the order of signals is the contract's.
extension FlowHost: TreeObserver {
  func publish(_ publication: Publication) {
    let root = publication.state.root
    let name = String(root.root)
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
    let ended = takeAwayIfEnded(publication, name)
    tellStarted(publication)
    tellDrafts(publication)
    if publication.changesScreens { tellScreens(publication, renderers) }
    if let ended { releaseClients(of: ended) }
    tellProperties(publication, isEnd: ended != nil)
    tellEnded(publication, before)
    if let ended { answerEnded(ended, publication) }
    if publication.isStart { answerStarted(name) }
    log(publication, before: before)
  }

  /// Puts a tree that has ended among the ended ones, so that whoever sees a signal of its end finds no object.
  private func takeAwayIfEnded(_ publication: Publication, _ name: String) -> LiveRoot? {
    guard let outcome = publication.state.outcomes[publication.state.root] else { return nil }
    return roots.hasEnded(name, outcome)
  }

  private func tellStarted(_ publication: Publication) {
    for record in publication.started {
      tellAdded(record.path.objectPath)
      if record.path.parent == nil { tellAdded(record.path.routerPath) }
    }
    guard publication.isStart, let flow = flow(of: publication) else { return }
    emit(
      "FlowStarted", of: Contract.managerInterface, at: Contract.rootPath,
      [.objectPath(publication.state.root.objectPath), .string(flow)])
  }

  func tellAdded(_ path: ObjectPath) {
    attempt("tell of \(path)") { connection throws(DBusError) in
      try connection.interfacesAdded(path, manager: Contract.rootPath)
    }
  }

  /// If one signal cannot be sent, those after it are not either: renderers then see a gap in the revisions, and read again.
  private func tellScreens(_ publication: Publication, _ renderers: [String: RendererCapabilities]) {
    let path = publication.state.root.routerPath
    for signal in signals(of: publication, renderers) {
      guard emit(signal.member, of: Contract.routerInterface, at: path, signal.body) else { return }
    }
  }

  private func tellDrafts(_ publication: Publication) {
    for screen in publication.drafted {
      let signal = RouterSignal.drafted(
        screen: screen.id.number, draft: screen.draftVardict, client: publication.occasion.caller?.name ?? "")
      emit(signal.member, of: Contract.routerInterface, at: publication.state.root.routerPath, signal.body)
    }
  }

  private func signals(of publication: Publication, _ renderers: [String: RendererCapabilities]) -> [RouterSignal] {
    let revision = publication.state.revision
    var signals: [RouterSignal] = publication.occasion.answer(renderers).map { [.answered(revision: revision, $0)] } ?? []
    signals += publication.dismissed.map {
      .dismissed(revision: revision, screen: $0.screen.number, reason: $0.reason.rawValue, animated: $0.animated)
    }
    signals += publication.presented.map {
      .presented(revision: revision, screen: $0.screen.vardict(), animated: $0.animated)
    }
    signals += publication.updated.map { updated in
      let all = updated.screen.vardict()
      let keys = updated.keys.map(\.rawValue)
      return .updated(
        revision: revision, screen: updated.screen.id.number, changed: all.filter { keys.contains($0.key) },
        removed: keys.filter { all[$0] == nil }.sorted())
    }
    signals.append(.settled(revision: revision, top: publication.state.window.top?.id.number ?? 0))
    return signals
  }

  private func tellProperties(_ publication: Publication, isEnd: Bool) {
    if publication.isStart || isEnd {
      changed("ActiveFlows", of: Contract.managerInterface, at: Contract.rootPath)
      activityHasChanged()
    }
    for path in publication.childrenChanged {
      changed("Children", of: Contract.coordinatorInterface, at: path.objectPath)
    }
  }

  private func tellEnded(_ publication: Publication, _ before: TreeState?) {
    // What came and went in one transition is not mentioned.
    let ended = publication.ended.filter { before?.coordinators[$0.path] != nil }
    for child in ended {
      guard let parent = child.path.parent else { continue }
      emit(
        "ChildEnded", of: Contract.coordinatorInterface, at: parent.objectPath,
        [.objectPath(child.path.objectPath), .string(child.outcome.name)])
    }
    for coordinator in ended {
      tellRemoved(coordinator.path.objectPath, Contract.coordinatorInterface)
      if coordinator.path.parent == nil { tellRemoved(coordinator.path.routerPath, Contract.routerInterface) }
    }
    guard let root = publication.ended.last(where: { $0.path == publication.state.root }) else { return }
    emit(
      "FlowEnded", of: Contract.managerInterface, at: Contract.rootPath,
      [.objectPath(root.path.objectPath), .string(root.flow), .string(root.outcome.name)])
  }

  func tellRemoved(_ path: ObjectPath, _ interface: String) {
    attempt("tell that \(path) is gone") { connection throws(DBusError) in
      try connection.interfacesRemoved(path, interfaces: [interface], manager: Contract.rootPath)
    }
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
    roots.live[String(publication.state.root.root)]?.request.flow
      ?? roots.ended[String(publication.state.root.root)]?.flow
  }
}

extension Occasion {
  /// Which screen a user has answered, and by which renderer; nil if nobody did, or no other renderer is there to be told.
  fileprivate func answer(_ renderers: [String: RendererCapabilities]) -> Answer? {
    guard let screen, let caller, kind == .delegate || kind == .back else { return nil }
    let own = renderers[caller.name]
    guard renderers.count > (own == nil ? 0 : 1) else { return nil }
    return Answer(
      screen: screen.number, event: kind == .delegate ? name ?? "" : "", kind: own?.kind ?? "", client: caller.name)
  }
}
