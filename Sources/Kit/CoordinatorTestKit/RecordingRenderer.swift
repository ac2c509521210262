import CoordinatorKit

/// A renderer that draws nothing and forgets nothing: what a test looks at instead of a screen.
public actor RecordingRenderer: TreeObserver {
  private var latest: TreeState?
  private var waiters: [Waiter] = []
  /// Everything that happened, in the order in which renderers are told of it.
  public private(set) var log: [RecordedEvent] = []
  /// The latest progress of each screen.
  public private(set) var progress: [ScreenID: Progress] = [:]

  private struct Waiter {
    let condition: @Sendable (TreeState) -> Bool
    let continuation: CheckedContinuation<TreeState, Never>
  }

  /// A renderer that has seen nothing yet.
  public init() {}

  /// Notes a tree that has come back after a restart.
  func show(_ state: TreeState) { latest = state }

  /// The tree as it was last published; nil before it has started.
  public var state: TreeState? { latest }

  /// Notes a publication, and wakes who waits for it.
  ///
  /// - Parameter publication: what changed.
  public func publish(_ publication: Publication) {
    latest = publication.state
    log += RecordedEvent.events(of: publication)
    waiters.removeAll { waiter in
      guard waiter.condition(publication.state) else { return false }
      waiter.continuation.resume(returning: publication.state)
      return true
    }
  }

  /// Notes how far work has come, for ``progress``, which follows a little later.
  ///
  /// - Parameters:
  ///   - progress: how far it has come.
  ///   - screen: where it is shown.
  ///   - root: of no account; a renderer shows one tree.
  public nonisolated func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {
    Task { await note(progress, on: screen) }
  }

  /// Waits until a published state fulfils a condition; at once if the latest does. Waits without end if none ever does.
  ///
  /// - Parameter condition: what to wait for. Called on this actor for each state, so it must not take long.
  /// - Returns: the first state that fulfils it.
  public func state(where condition: @escaping @Sendable (TreeState) -> Bool) async -> TreeState {
    if let latest, condition(latest) { return latest }
    return await withCheckedContinuation { waiters.append(Waiter(condition: condition, continuation: $0)) }
  }

  /// Forgets what happened so far.
  public func clearLog() { log = [] }

  private func note(_ progress: Progress, on screen: ScreenID) { self.progress[screen] = progress }
}
