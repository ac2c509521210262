import Platform

extension FlowTree {
  /// Records whether a renderer is attached to the tree, so that work can pause while no user views it.
  package nonisolated func set(hasRenderer: Bool) { post(Posted(.renderers(hasRenderer))) }

  /// Accepts a value that work has reported, from any thread.
  nonisolated func take(_ value: any Sendable, from work: WorkID, of path: CoordinatorPath, _ reports: LiveReports) {
    switch reports.add(LiveReports.Report(work: work, value: value), of: path, at: .now) {
    case .now: post(Posted(.live(path)))
    case .after(let delay): environment.schedule(delay) { self.post(Posted(.live(path))) }
    case .already: break
    }
  }

  /// Computes a coordinator's screens again from the value that its work reported last, and publishes the changes.
  ///
  /// This is not a transition: nothing is stored, no handler is called, and the revision does not change. Values whose screens
  /// exceed a limit or cannot be computed are not shown.
  func showLive(_ path: CoordinatorPath) async {
    guard state.coordinators[path] != nil else {
      viewing.reports?.forget(path)
      return
    }
    guard let report = viewing.reports?.take(path, at: .now), let coordinator = running[path],
      state.coordinators[path]?.work.contains(where: { $0.id == report.work }) == true
    else { return }
    queue.handlersBegin()
    let transition = Transition(
      from: state, catalogue: environment.catalogue, limits: environment.limits, at: environment.moment)
    let result = await coordinator.show(report, of: path, in: transition)
    queue.handlersEnd()
    guard !isAbandoned, case .success(let changed) = result else { return }
    let updates = changed.liveUpdates
    guard !updates.isEmpty else { return }
    show(live: changed.window)
    await environment.observer.publish(live: updates, of: state)
  }
}

/// Whether a user views the screens of a tree, and its live values.
struct LiveViewing: Sendable {
  /// Created with the first work, because most trees never have any.
  private var show: LiveShow?
  private var hasRenderer = false
  /// The coordinator that was last notified that a user views its screen.
  private var lookedAt: CoordinatorPath?

  /// The reports of live values; nil if there have been none.
  var reports: LiveReports? { show?.reports }

  /// The coordinators with work that waits for a viewer.
  var waitingCoordinators: Set<CoordinatorPath> { show?.watching.waitingCoordinators ?? [] }

  /// Returns the live show, and creates it on first use.
  ///
  /// - Parameters:
  ///   - top: the coordinator of the top screen.
  ///   - whenWorkWaits: called each time a piece of work begins to wait for a viewer.
  /// - Returns: the live show.
  mutating func startedShow(top: CoordinatorPath?, whenWorkWaits: @escaping @Sendable () -> Void) -> LiveShow {
    if let show { return show }
    let show = LiveShow(whenWorkWaits: whenWorkWaits)
    show.watching.set(hasRenderer: hasRenderer)
    show.watching.set(top: top)
    self.show = show
    return show
  }

  /// Records whether a renderer is attached.
  mutating func set(hasRenderer: Bool) {
    self.hasRenderer = hasRenderer
    show?.watching.set(hasRenderer: hasRenderer)
  }

  /// Records the coordinator of the top screen.
  func set(top: CoordinatorPath?) { show?.watching.set(top: top) }

  /// Compares the coordinator that a user views with the one that was last notified, which it replaces.
  ///
  /// - Parameters:
  ///   - top: the coordinator of the top screen.
  ///   - wantsToKnow: returns whether a coordinator requests the notification.
  /// - Returns: the coordinators to notify.
  mutating func look(
    at top: CoordinatorPath?, wantsToKnow: (CoordinatorPath) -> Bool
  ) -> (left: CoordinatorPath?, entered: CoordinatorPath?) {
    let now = hasRenderer ? top.flatMap { wantsToKnow($0) ? $0 : nil } : nil
    guard now != lookedAt else { return (nil, nil) }
    let left = lookedAt.flatMap { wantsToKnow($0) ? $0 : nil }
    lookedAt = now
    return (left, now)
  }
}

/// Holds the reports of live values, and tracks which coordinator's screen a user views.
final class LiveShow: Sendable {
  let reports = LiveReports()
  let watching: Watching

  init(whenWorkWaits: @escaping @Sendable () -> Void) { watching = Watching(whenWaiting: whenWorkWaits) }
}

extension Transition {
  /// The screens that changed although no handler ran, bottom first.
  fileprivate var liveUpdates: [Publication.Updated] {
    let difference = WindowDifference(from: before.window, to: window)
    return difference.screens.compactMap { screen in
      guard let old = difference.old(screen.id) else { return nil }
      let keys = screen.keysThatDiffer(from: old)
      return keys.isEmpty ? nil : Publication.Updated(screen: screen, keys: keys)
    }
  }
}

extension FlowTree {
  /// The running work of all coordinators, except for work that waits for a viewer. A test kit that moves the clock waits until
  /// it sleeps or is done, because what sleeps must wake up in its turn.
  package var awaitedWork: [WorkID] {
    let waiting = viewing.waitingCoordinators
    return state.coordinators.values.flatMap { waiting.contains($0.path) ? [] : $0.work.map(\.id) }
  }

  /// The coordinators with work that waits for a viewer.
  package var coordinatorsWithoutViewer: Set<CoordinatorPath> { viewing.waitingCoordinators }

  /// The running work of coordinators that show live values, except for work that waits for a viewer. A test kit waits until
  /// the remaining work sleeps or is done, because the content of screens depends on it.
  package var reportingWork: [WorkID] {
    let waiting = viewing.waitingCoordinators
    return state.coordinators.values.flatMap { record -> [WorkID] in
      guard !record.work.isEmpty, environment.catalogue.showsLiveValues(record.flow), !waiting.contains(record.path) else {
        return []
      }
      return record.work.map(\.id)
    }
  }
}

extension FlowCatalogue {
  /// Returns whether the work of a flow shows live values.
  package func showsLiveValues(_ flow: String) -> Bool { self[flow]?.showsLiveValues ?? false }

  /// Whether the work of any flow shows live values.
  package var showLiveValues: Bool { descriptions.contains { showsLiveValues($0.name) } }
}

/// Stores the values that the work of one tree has reported and that are not shown yet. May be used from any thread.
///
/// Keeps only the last value of each coordinator, which is shown at most once per ``interval``.
final class LiveReports: Sendable {
  /// The shortest time between two updates of one coordinator's screens.
  static var interval: Duration { .milliseconds(100) }

  /// A value that a piece of work reported.
  struct Report: Sendable {
    let work: WorkID
    let value: any Sendable
  }

  /// When to show a report.
  enum Due: Sendable {
    case now
    case after(Duration)
    /// Together with an earlier report that is not shown yet.
    case already
  }

  private struct State: Sendable {
    var waiting: [CoordinatorPath: Report] = [:]
    var shown: [CoordinatorPath: ContinuousClock.Instant] = [:]
  }

  private let state = Lock(State())

  /// Adds a report. It replaces a report of the same coordinator that is not shown yet.
  ///
  /// - Returns: when to show it.
  func add(_ report: Report, of path: CoordinatorPath, at now: ContinuousClock.Instant) -> Due {
    state.withLock { state in
      // A report of replaced work must not displace a report of the work that replaced it.
      if let waiting = state.waiting[path], waiting.work.number > report.work.number { return .already }
      guard state.waiting.updateValue(report, forKey: path) == nil else { return .already }
      guard let last = state.shown[path], last + Self.interval > now else { return .now }
      return .after(now.duration(to: last + Self.interval))
    }
  }

  /// Removes and returns the last report of a coordinator, because it is about to be shown.
  func take(_ path: CoordinatorPath, at now: ContinuousClock.Instant) -> Report? {
    state.withLock { state in
      state.shown[path] = now
      return state.waiting.removeValue(forKey: path)
    }
  }

  /// Forgets a coordinator that has ended.
  func forget(_ path: CoordinatorPath) {
    state.withLock { state in
      state.waiting[path] = nil
      state.shown[path] = nil
    }
  }
}

/// Tracks whether a user views the screens of a tree: which coordinator's screen is on top, and whether a renderer is attached.
/// May be used from any thread.
final class Watching: Sendable {
  private struct State: Sendable {
    var hasRenderer = false
    var top: CoordinatorPath?
    var waiting: [UInt64: (path: CoordinatorPath, resume: CheckedContinuation<Void, Never>)] = [:]
    var lastTicket: UInt64 = 0

    func isWatched(_ path: CoordinatorPath) -> Bool { hasRenderer && top == path }

    /// Removes and returns the waiters whose coordinator is now viewed.
    mutating func takeWatched() -> [CheckedContinuation<Void, Never>] {
      guard hasRenderer, !waiting.isEmpty else { return [] }
      let watched = waiting.filter { $0.value.path == top }
      for ticket in watched.keys { waiting[ticket] = nil }
      return watched.values.map(\.resume)
    }
  }

  private let state = Lock(State())
  private let whenWaiting: @Sendable () -> Void

  /// Creates a tree's state without a viewer.
  ///
  /// - Parameter whenWaiting: called each time a piece of work begins to wait.
  init(whenWaiting: @escaping @Sendable () -> Void) { self.whenWaiting = whenWaiting }

  /// The coordinators with work that waits for a viewer.
  var waitingCoordinators: Set<CoordinatorPath> { state.withLock { Set($0.waiting.values.map(\.path)) } }

  /// Returns whether the top screen belongs to a coordinator, and a renderer is attached.
  func isWatched(_ path: CoordinatorPath) -> Bool { state.withLock { $0.isWatched(path) } }

  /// Records whether a renderer is attached.
  func set(hasRenderer: Bool) { change { $0.hasRenderer = hasRenderer } }

  /// Records the coordinator of the top screen.
  func set(top: CoordinatorPath?) { change { $0.top = top } }

  private func change(_ body: (inout State) -> Void) {
    let watched = state.withLock { state in
      body(&state)
      return state.takeWatched()
    }
    for continuation in watched { continuation.resume() }
  }

  /// Waits until a user views a coordinator's screen.
  ///
  /// - Throws: `CancellationError` if the task is cancelled during the wait.
  func wait(_ path: CoordinatorPath) async throws(CancellationError) {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if state.isWatched(path) || Task.isCancelled { return true }
          state.waiting[ticket] = (path, continuation)
          return false
        }
        if isDone { continuation.resume() } else { whenWaiting() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume.resume()
    }
    if Task.isCancelled { throw CancellationError() }
  }
}
