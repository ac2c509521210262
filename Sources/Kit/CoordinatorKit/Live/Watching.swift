import Platform

/// Whether anybody is looking at the screens of a tree: which coordinator's screen is on top, and whether a renderer is
/// attached. May be used from any thread.
final class Watching: Sendable {
  private struct State: Sendable {
    var hasRenderer = false
    var top: CoordinatorPath?
    var waiting: [UInt64: (path: CoordinatorPath, resume: CheckedContinuation<Void, Never>)] = [:]
    var lastTicket: UInt64 = 0

    func isWatched(_ path: CoordinatorPath) -> Bool { hasRenderer && top == path }

    /// Removes and returns those who wait for what is the case by now.
    mutating func takeWatched() -> [CheckedContinuation<Void, Never>] {
      guard hasRenderer, !waiting.isEmpty else { return [] }
      let watched = waiting.filter { $0.value.path == top }
      for ticket in watched.keys { waiting[ticket] = nil }
      return watched.values.map(\.resume)
    }
  }

  private let state = Lock(State())
  private let whenWaiting: @Sendable () -> Void

  /// Creates a tree's state, in which nobody looks.
  ///
  /// - Parameter whenWaiting: called each time that a piece of work begins to wait.
  init(whenWaiting: @escaping @Sendable () -> Void) { self.whenWaiting = whenWaiting }

  /// The coordinators with work that waits for somebody to look.
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

  /// Returns when somebody is looking at a coordinator's screen.
  ///
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
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
