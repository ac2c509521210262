import CoordinatorBus
import CoordinatorKit
import DBus

/// Progress belongs to no transition: it is told on its own, and laid over the published screen for those who read.
extension FlowHost {
  nonisolated func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {
    guard let delay = self.progress.note(progress, on: screen, of: root) else { return }
    connection.loop.schedule(after: delay) { self.assumeIsolated { $0.tellProgress(of: root) } }
  }

  private func tellProgress(of root: CoordinatorPath) {
    let latest = progress.take(of: root)
    guard let state = liveRoot(of: root)?.state else { return progress.forget(root) }
    for (screen, progress) in latest.sorted(by: { $0.key < $1.key }) {
      // Work may report after its screen was taken down, or has stopped being busy.
      guard state.window[screen]?.content.progress != nil else { continue }
      _ = roots.update(String(root.root)) { $0.progress[screen] = progress }
      bus.send(.ofRouter(root, .progress(screen: screen.number, progress: progress)))
    }
  }

  /// Drops progress that a transition has made old.
  func forgetProgress(_ publication: Publication, _ name: String) {
    guard roots.live[name]?.progress.isEmpty == false else { return }
    _ = roots.update(name) { root in
      for gone in publication.dismissed { root.progress[gone.screen] = nil }
      for updated in publication.updated where updated.keys.contains(.progress) { root.progress[updated.screen.id] = nil }
    }
  }
}
