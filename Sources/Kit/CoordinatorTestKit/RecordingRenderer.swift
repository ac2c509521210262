import CoordinatorKit

/// A renderer that records everything and draws nothing, for use in tests.
///
/// ```swift
/// try await flow.send("submit")
/// _ = await flow.renderer.state { $0.window.top?.content.name == "user-profile" }
/// ```
public actor RecordingRenderer: TreeObserver {
  private var latest: TreeState?
  private var waiters: [Waiter] = []
  private var lastWaiter: UInt64 = 0
  /// All events, in the order in which renderers are notified.
  public private(set) var log: [RecordedEvent] = []
  /// The latest progress of each screen.
  public private(set) var progress: [ScreenID: Progress] = [:]

  private struct Waiter {
    let id: UInt64
    let condition: @Sendable (TreeState) -> Bool
    let continuation: CheckedContinuation<TreeState?, Never>
  }

  /// Creates a renderer without any records.
  public init() {}

  /// Shows a tree that was restored after a restart.
  func show(_ state: TreeState) { latest = state }

  /// The tree as last published; nil before it has started.
  public var state: TreeState? { latest }

  /// Records a publication, and resumes callers that wait for it.
  ///
  /// - Parameter publication: the changes.
  public func publish(_ publication: Publication) {
    log += RecordedEvent.events(of: publication)
    adopt(publication.state)
  }

  /// Records live values, and resumes callers that wait for what they show.
  ///
  /// - Parameters:
  ///   - live: the screens that changed.
  ///   - state: the tree with these screens.
  public func publish(live: [Publication.Updated], of state: TreeState) {
    log += live.map { .live($0.screen.id, $0.keys) }
    adopt(state)
  }

  private func adopt(_ state: TreeState) {
    latest = state
    waiters.removeAll { waiter in
      guard waiter.condition(state) else { return false }
      waiter.continuation.resume(returning: state)
      return true
    }
  }

  /// Records progress asynchronously: ``progress`` changes a little later.
  ///
  /// - Parameters:
  ///   - progress: how far the work has progressed.
  ///   - screen: the screen that shows it.
  ///   - root: ignored, because the renderer shows one tree.
  public nonisolated func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {
    Task { await note(progress, on: screen) }
  }

  /// Waits until a published state meets a condition. Returns immediately if the latest state does; never returns if no
  /// state does.
  ///
  /// - Parameter condition: the condition. It is called on this actor for each state, so it must be fast.
  /// - Returns: the first state that meets the condition.
  public func state(where condition: @escaping @Sendable (TreeState) -> Bool) async -> TreeState {
    while true { if let state = await state(within: nil, where: condition) { return state } }
  }

  /// Waits until a published state meets a condition, but not longer than a limit; nil for no limit.
  ///
  /// - Returns: the first state that meets the condition; nil if there was none in time.
  func state(
    within limit: Duration?, where condition: @escaping @Sendable (TreeState) -> Bool
  ) async -> TreeState? {
    if let latest, condition(latest) { return latest }
    lastWaiter += 1
    let id = lastWaiter
    let timeout = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        giveUp(id)
      }
    }
    defer { timeout?.cancel() }
    return await withCheckedContinuation { continuation in
      waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
    }
  }

  private func giveUp(_ id: UInt64) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(returning: nil)
  }

  /// Removes all recorded events.
  public func clearLog() { log = [] }

  private func note(_ progress: Progress, on screen: ScreenID) { self.progress[screen] = progress }
}

/// A notification to renderers and listeners, in short form.
public enum RecordedEvent: Sendable, Hashable {
  /// A coordinator was started.
  case started(CoordinatorPath)
  /// A screen was dismissed.
  case dismissed(ScreenID, DismissalReason)
  /// A screen was presented: its id, name, style, and layer.
  case presented(ScreenID, String, ScreenStyle, layer: UInt32)
  /// A screen was updated.
  case updated(ScreenID, Set<ScreenKey>)
  /// A screen shows another live value.
  case live(ScreenID, Set<ScreenKey>)
  /// The transition is complete. The top screen is nil if nothing is shown.
  case settled(revision: UInt64, top: ScreenID?)
  /// A coordinator ended.
  case ended(CoordinatorPath, Outcome)

  /// Returns the events of one transition, in the contract's order.
  static func events(of publication: Publication) -> [RecordedEvent] {
    var events: [RecordedEvent] = publication.started.map { .started($0.path) }
    events += publication.dismissed.map { .dismissed($0.screen, $0.reason) }
    events += publication.presented.map {
      .presented($0.screen.id, $0.screen.content.name, $0.screen.style, layer: $0.screen.layer)
    }
    events += publication.updated.map { .updated($0.screen.id, $0.keys) }
    if publication.changesScreens {
      events.append(.settled(revision: publication.state.revision, top: publication.state.window.top?.id))
    }
    events += publication.ended.map { .ended($0.path, $0.outcome) }
    return events
  }
}
