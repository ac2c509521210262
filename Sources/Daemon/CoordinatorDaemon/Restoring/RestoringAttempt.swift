import CoordinatorJournal
import Platform

/// Collects the trees that a task restores, until the task finishes or a tree exceeds the deadline.
///
/// A flow that never returns keeps its thread and its task; the restoration can only continue without them.
final class RestoringAttempt: Sendable {
  /// The result of restoring a tree.
  typealias Entry = (root: StoredRoot, result: TreeRestorer.Result)

  /// The end of an attempt.
  struct End {
    /// The results that were added.
    let results: [Entry]
    /// Whether the next tree exceeded the deadline.
    let isStuck: Bool
  }

  private struct State {
    var results: [Entry] = []
    /// Nil while trees are being restored; then whether a tree exceeded the deadline.
    var isStuck: Bool?
    var waiter: CheckedContinuation<Void, Never>?
    var stopWatch: (@Sendable () -> Void)?
    /// The number of results at the last check.
    var seen = 0
  }

  private let state = Lock(State())
  private let watch: TreeRestorer.Watch

  /// Creates an attempt and starts watching it.
  init(_ watch: TreeRestorer.Watch) {
    self.watch = watch
    lookLater()
  }

  /// Adds the result of the next tree.
  ///
  /// - Returns: whether to continue; false if the attempt has ended.
  func add(_ entry: Entry) -> Bool {
    state.withLock { state in
      guard state.isStuck == nil else { return false }
      state.results.append(entry)
      return true
    }
  }

  /// Ends the attempt, because all trees have been added.
  func finish() { close(isStuck: false) }

  /// Waits for the end of the attempt. Call it once.
  func end() async -> End {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.isStuck == nil { state.waiter = continuation }
        return state.isStuck != nil
      }
      if isOver { continuation.resume() }
    }
    return state.withLock { End(results: $0.results, isStuck: $0.isStuck ?? false) }
  }

  private func lookLater() {
    let stop = watch.schedule { [weak self] in self?.look() }
    let isOver = state.withLock { state in
      state.stopWatch = stop
      return state.isStuck != nil
    }
    if isOver { stop() }
  }

  private func look() {
    let hasGoneOn = state.withLock { state in
      defer { state.seen = state.results.count }
      return state.results.count > state.seen
    }
    if hasGoneOn { lookLater() } else { close(isStuck: true) }
  }

  private func close(isStuck: Bool) {
    let (waiter, stop) = state.withLock { state in
      guard state.isStuck == nil else { return (nil, nil) as (CheckedContinuation<Void, Never>?, (@Sendable () -> Void)?) }
      state.isStuck = isStuck
      defer { (state.waiter, state.stopWatch) = (nil, nil) }
      return (state.waiter, state.stopWatch)
    }
    stop?()
    waiter?.resume()
  }
}
