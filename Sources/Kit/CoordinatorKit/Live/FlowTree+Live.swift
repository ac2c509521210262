extension FlowTree {
  /// Records whether a renderer is attached to the tree, so that work can pause while nobody is looking.
  package nonisolated func set(hasRenderer: Bool) { post(Posted(.renderers(hasRenderer))) }

  /// Returns what shows live values, which is created when it is needed first.
  func startedLiveShow() -> LiveShow {
    if let liveShow { return liveShow }
    let show = LiveShow(whenWorkWaits: environment.whenWorkWaits)
    show.watching.set(hasRenderer: hasRenderer)
    show.watching.set(top: state.window.top?.coordinator)
    liveShow = show
    return show
  }

  /// Accepts a value that work has reported, from any thread.
  nonisolated func take(_ value: any Sendable, from work: WorkID, of path: CoordinatorPath, _ reports: LiveReports) {
    switch reports.add(LiveReports.Report(work: work, value: value), of: path, at: .now) {
    case .now: post(Posted(.live(path)))
    case .after(let delay): environment.schedule(delay) { self.post(Posted(.live(path))) }
    case .already: break
    }
  }

  /// Computes a coordinator's screens again from the value that its work reported last, and publishes what changed.
  ///
  /// This is not a transition: nothing is stored, no handler is called, and the revision stays. Values whose screens
  /// exceed a limit or cannot be computed are not shown.
  func showLive(_ path: CoordinatorPath) async {
    guard state.coordinators[path] != nil else {
      liveShow?.reports.forget(path)
      return
    }
    guard let report = liveShow?.reports.take(path, at: .now), let coordinator = running[path],
      state.coordinators[path]?.work.contains(where: { $0.id == report.work }) == true
    else { return }
    queue.withLock { $0.handlersBegin(at: .now) }
    let transition = Transition(
      from: state, catalogue: environment.catalogue, limits: environment.limits, at: environment.moment)
    let result = await coordinator.show(report, of: path, in: transition)
    queue.withLock { $0.handlersEnd() }
    guard !isAbandoned, case .success(let changed) = result else { return }
    let updates = changed.liveUpdates
    guard !updates.isEmpty else { return }
    state.window = changed.window
    await environment.observer.publish(live: updates, of: state)
  }
}

/// What shows live values, and knows who is looking.
final class LiveShow: Sendable {
  let reports = LiveReports()
  let watching: Watching

  init(whenWorkWaits: @escaping @Sendable () -> Void) { watching = Watching(whenWaiting: whenWorkWaits) }
}

extension Transition {
  /// The screens that changed, bottom first, although no handler ran.
  fileprivate var liveUpdates: [Publication.Updated] {
    let difference = WindowDifference(from: before.window, to: window)
    return difference.screens.compactMap { screen in
      guard let old = difference.old(screen.id) else { return nil }
      let keys = screen.keysThatDiffer(from: old)
      return keys.isEmpty ? nil : Publication.Updated(screen: screen, keys: keys)
    }
  }
}
