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
  /// All events, in the order in which renderers are notified.
  public private(set) var log: [RecordedEvent] = []
  /// The latest progress of each screen.
  public private(set) var progress: [ScreenID: Progress] = [:]

  private struct Waiter {
    let condition: @Sendable (TreeState) -> Bool
    let continuation: CheckedContinuation<TreeState, Never>
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
    latest = publication.state
    log += RecordedEvent.events(of: publication)
    waiters.removeAll { waiter in
      guard waiter.condition(publication.state) else { return false }
      waiter.continuation.resume(returning: publication.state)
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
    if let latest, condition(latest) { return latest }
    return await withCheckedContinuation { waiters.append(Waiter(condition: condition, continuation: $0)) }
  }

  /// Removes all recorded events.
  public func clearLog() { log = [] }

  private func note(_ progress: Progress, on screen: ScreenID) { self.progress[screen] = progress }
}
