extension ServedFlow {
  /// What the screens of a coordinator are computed from while its work reports what it finds.
  struct LiveBasis: Sendable {
    let path: CoordinatorPath
    /// What the daemon has of the coordinator, if it has accepted the last answer.
    let tree: TreeState
    let now: UInt64
    let running: RunningActor<C>
  }

  /// Keeps what live screens are computed from, while there is work.
  func keepBasis(_ question: FlowQuestion, _ after: TreeState, _ running: RunningActor<C>) {
    guard C.Live.self != Never.self else { return }
    let hasWork = after.coordinators[question.instance.path]?.work.isEmpty == false
    let basis = LiveBasis(path: question.instance.path, tree: after, now: question.context.now, running: running)
    live.withLock { $0[question.instance.name] = hasWork ? basis : nil }
  }

  func screens(
    showing value: any Sendable, from work: ProvidedWork, of instance: String, in catalogue: FlowCatalogue
  ) async -> [LiveScreen]? {
    guard let id = WorkID(text: work.id), let basis = live.withLock({ $0[instance] }) else { return nil }
    var transition = Transition(from: basis.tree, catalogue: catalogue, limits: Limits(), at: Moment(unset: basis.now))
    transition.recording = []
    let report = LiveReports.Report(work: id, value: value)
    guard case .success(let shown) = await basis.running.show(report, of: basis.path, in: transition),
      let plain = await basis.running.screensWithoutReport(of: basis.path, in: transition)
    else { return nil }
    return shown.window.screens.compactMap { screen in
      guard screen.coordinator == basis.path, let other = plain.window[screen.id] else { return nil }
      return LiveScreen(key: screen.id.description, content: screen.content, plain: other.content)
    }
  }
}
