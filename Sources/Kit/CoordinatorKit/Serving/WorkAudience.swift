/// Whether somebody looks at the screens of a coordinator whose work this process performs for a daemon. May be used from
/// any thread.
package final class WorkAudience: Sendable {
  let watching = Watching(whenWaiting: {})
  let coordinator: CoordinatorPath

  /// Creates the audience of a coordinator, at whose screens somebody looks until it is told otherwise.
  package init(of coordinator: CoordinatorPath, isLooking: Bool = true) {
    self.coordinator = coordinator
    watching.set(top: coordinator)
    watching.set(hasRenderer: isLooking)
  }

  /// Records whether somebody looks.
  package func set(isLooking: Bool) { watching.set(hasRenderer: isLooking) }
}

extension SharedWorkContext {
  /// Creates the context of work that this process performs for a daemon.
  ///
  /// - Parameters:
  ///   - secrets: the secrets of the work, by name.
  ///   - audience: knows whether somebody looks.
  ///   - report: tells the daemon how far the work has progressed.
  ///   - show: shows a live value.
  package init(
    secrets: [String: Secret], audience: WorkAudience, report: @escaping @Sendable (Progress) -> Void,
    show: @escaping @Sendable (any Sendable) -> Void
  ) {
    self.init(
      secrets: secrets, report: report, show: show, watching: audience.watching, coordinator: audience.coordinator,
      pause: { try await Task.sleep(for: $0) })
  }
}
