import CoordinatorJournal
import CoordinatorKit
import Platform

/// Reads stored trees and restores them if possible. Changes nothing that is stored. Runs concurrently with the event
/// loop.
struct TreeRestorer: Sendable {
  /// The result of reading a tree.
  enum Reading: Sendable {
    case stored(StoredTreeReading)
    /// The journal contains no such tree.
    case nothing
    /// The tree cannot be read now, which reveals nothing about the stored data.
    case unread(JournalError)
  }

  /// The result of restoring a tree.
  enum Result: Sendable {
    case takenUp(FlowTree, TreeState)
    /// The known part of the tree, nil if nothing could be read; and the human-readable reason why it cannot be restored.
    case held(TreeOutline?, reason: String)
  }

  /// A watchdog for flows that take too long.
  struct Watch: Sendable {
    /// How long a flow may take.
    let deadline: Duration
    /// Schedules a closure to run after the deadline. Returns a closure that cancels it.
    let schedule: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void
  }

  /// Reads the trees of roots, by name; see ``Journal/trees(of:)``.
  let trees: @Sendable ([StoredRoot]) async throws(JournalError) -> [String: StoredTreeReading]
  /// Returns the environment for the tree of a root.
  let environment: @Sendable (StoredRoot) -> FlowTree.Environment
  /// The watchdog for flows that restore a tree.
  let watch: Watch

  /// The number of trees that are read at once: large enough to make reading cheap, small enough that no call waits
  /// long for one tree.
  static let batch = 128

  /// Restores trees batch by batch. A batch is read while the previous one is decoded.
  ///
  /// - Parameters:
  ///   - first: the roots of the first batch.
  ///   - take: receives the results of each batch, at first none, and returns the batch to read next. After an
  ///     empty one, the current batch is still restored, and passed on.
  func run(_ first: [StoredRoot], _ take: ([RestoringAttempt.Entry]) async -> [StoredRoot]) async {
    var batch = first
    var readings = await readings(of: batch)
    var results: [RestoringAttempt.Entry] = []
    while !batch.isEmpty {
      let next = await take(results)
      async let following = self.readings(of: next)
      results = await takeUp(batch, readings)
      (batch, readings) = (next, await following)
    }
    _ = await take(results)
  }

  /// Reads trees. If they cannot be read together, reads them one by one, so that one does not affect the others.
  ///
  /// - Parameter roots: the roots of the trees.
  /// - Returns: a reading of each tree, by the name of its root.
  func readings(of roots: [StoredRoot]) async -> [String: Reading] {
    guard !roots.isEmpty else { return [:] }
    do throws(JournalError) {
      let trees = try await trees(roots)
      return Dictionary(
        roots.map { ($0.name, trees[$0.name].map { .stored($0) } ?? .nothing) }, uniquingKeysWith: { $1 })
    } catch {
      guard let root = roots.first, roots.count == 1 else { return await readingsOneByOne(of: roots) }
      return [root.name: .unread(error)]
    }
  }

  private func readingsOneByOne(of roots: [StoredRoot]) async -> [String: Reading] {
    var readings: [String: Reading] = [:]
    for root in roots { readings.merge(await self.readings(of: [root])) { $1 } }
    return readings
  }

  /// Restores trees, one after the other. A tree whose flow does not return within the deadline is held, and the remaining
  /// trees are restored without it.
  ///
  /// - Parameters:
  ///   - roots: the roots of the trees.
  ///   - readings: the readings of the trees.
  /// - Returns: the result for each tree, in the same order. After a cancellation the remaining ones are missing: when the
  ///   daemon ends, the journal can no longer be read, which reveals nothing about a tree.
  func takeUp(_ roots: [StoredRoot], _ readings: [String: Reading]) async -> [RestoringAttempt.Entry] {
    var results: [RestoringAttempt.Entry] = []
    while results.count < roots.count, !Task.isCancelled {
      let left = roots[results.count...]
      let attempt = RestoringAttempt(watch)
      let task = Task(executorPreference: globalConcurrentExecutor) {
        for root in left {
          let result = await takeUp(root, readings[root.name] ?? .nothing)
          if case .held = result, Task.isCancelled { break }
          guard attempt.add((root, result)) else { return }
        }
        attempt.finish()
      }
      let ended = await withTaskCancellationHandler {
        await attempt.end()
      } onCancel: {
        task.cancel()
      }
      results += ended.results
      guard ended.isStuck else { break }
      let stuck = roots[results.count]
      let reason = "restoring it took longer than \(watch.deadline)"
      results.append((stuck, .held(readings[stuck.name]?.outline, reason: reason)))
    }
    return results
  }

  private func takeUp(_ root: StoredRoot, _ reading: Reading) async -> Result {
    switch reading {
    case .nothing: return .held(nil, reason: RestoringError.incomplete(CoordinatorPath(root: root.name)).description)
    case .unread(let error): return .held(nil, reason: "its stored state cannot currently be read: \(error)")
    case .stored(.damaged(let outline, let reason)):
      return .held(outline, reason: "its stored state cannot be read: \(reason)")
    case .stored(.whole(let stored)):
      do throws(RestoringError) {
        let restored = try await FlowTree.restore(stored, environment: environment(root))
        return .takenUp(restored.tree, restored.state)
      } catch {
        return .held(stored.outline, reason: error.description)
      }
    }
  }
}

extension TreeRestorer.Reading {
  /// The known part of the tree; nil if nothing could be read.
  fileprivate var outline: TreeOutline? {
    switch self {
    case .stored(.whole(let stored)): stored.outline
    case .stored(.damaged(let outline, _)): outline
    case .nothing, .unread: nil
    }
  }
}

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
