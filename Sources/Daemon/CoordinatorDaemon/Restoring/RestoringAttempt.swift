import CoordinatorJournal
import Locking

/// Collects the trees that one task restores, until the task has finished, or one tree has taken too long.
///
/// A flow that never returns keeps its thread and its task; all that can be done is to go on without them.
final class RestoringAttempt: Sendable {
  /// What has become of a tree.
  typealias Entry = (root: StoredRoot, result: TreeRestorer.Result)

  /// How an attempt has ended.
  struct End {
    /// The trees that were added.
    let results: [Entry]
    /// Whether the next one has taken too long.
    let isStuck: Bool
  }

  private struct State {
    var results: [Entry] = []
    /// Nil while trees are restored; else whether one has taken too long.
    var isStuck: Bool?
    var waiter: CheckedContinuation<Void, Never>?
    var stopWatch: (@Sendable () -> Void)?
    /// How many trees there were when the watch looked last.
    var seen = 0
  }

  private let state = Lock(State())
  private let watch: TreeRestorer.Watch

  /// An attempt, which is watched from now on.
  init(_ watch: TreeRestorer.Watch) {
    self.watch = watch
    lookLater()
  }

  /// Adds the next tree.
  ///
  /// - Returns: whether to go on; false if nobody waits any more.
  func add(_ entry: Entry) -> Bool {
    state.withLock { state in
      guard state.isStuck == nil else { return false }
      state.results.append(entry)
      return true
    }
  }

  /// Says that no tree follows.
  func finish() { close(isStuck: false) }

  /// Waits for the end of the attempt. Called once.
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
