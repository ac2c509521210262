import CoordinatorJournal
import CoordinatorKit

/// Reads stored trees, and takes them up as far as that is possible now. Changes nothing of what is stored. Runs beside the loop.
struct TreeRestorer: Sendable {
  /// What could be read of a tree.
  enum Reading: Sendable {
    case stored(StoredTreeReading)
    /// It was read that there is none.
    case nothing
    /// It cannot be read now, which says nothing of what is stored.
    case unread(JournalError)
  }

  /// What has become of a tree.
  enum Result: Sendable {
    case takenUp(FlowTree, TreeState)
    /// What is known of it, nil if nothing could be read; and why it cannot be taken up, for people.
    case held(TreeOutline?, reason: String)
  }

  /// Looks whether a flow takes too long.
  struct Watch: Sendable {
    /// How long a flow may take.
    let deadline: Duration
    /// Runs something after the deadline, unless what it returns is called before.
    let schedule: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void
  }

  /// Reads the trees of roots, by their names; see ``Journal/trees(of:)``.
  let trees: @Sendable ([StoredRoot]) async throws(JournalError) -> [String: StoredTreeReading]
  /// What the tree of a root works with.
  let environment: @Sendable (StoredRoot) -> FlowTree.Environment
  /// How long a flow may take to restore a tree.
  let watch: Watch

  /// Reads trees; one by one if they cannot be read together, so that one harms no other.
  ///
  /// - Parameter roots: their roots.
  /// - Returns: a reading of each, by its root's name.
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

  /// Takes trees up, one after the other. One whose flow does not return within the deadline is held, and the others go on without it.
  ///
  /// - Parameters:
  ///   - roots: their roots.
  ///   - readings: what was read of them.
  /// - Returns: what has become of each, in the same order. What follows a cancellation is missing: when the daemon ends nothing can be
  ///   read any more, which says nothing of a tree.
  func takeUp(_ roots: [StoredRoot], _ readings: [String: Reading]) async -> [(root: StoredRoot, result: Result)] {
    var results: [(root: StoredRoot, result: Result)] = []
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
      let reason = "its flow did not restore it within \(watch.deadline)"
      results.append((stuck, .held(readings[stuck.name]?.outline, reason: reason)))
    }
    return results
  }

  private func takeUp(_ root: StoredRoot, _ reading: Reading) async -> Result {
    switch reading {
    case .nothing: return .held(nil, reason: RestoringError.incomplete(CoordinatorPath(root: root.name)).description)
    case .unread(let error): return .held(nil, reason: "what is stored of it cannot be read now: \(error)")
    case .stored(.damaged(let outline, let reason)):
      return .held(outline, reason: "what is stored of it cannot be read: \(reason)")
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
  /// What is known of the tree; nil if nothing could be read.
  fileprivate var outline: TreeOutline? {
    switch self {
    case .stored(.whole(let stored)): stored.outline
    case .stored(.damaged(let outline, _)): outline
    case .nothing, .unread: nil
    }
  }
}
