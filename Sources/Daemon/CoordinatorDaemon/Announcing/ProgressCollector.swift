import CoordinatorKit
import Platform

/// Collects progress from any thread at any rate, and releases the latest progress of each screen at most ten times a
/// second for each tree.
final class ProgressCollector: Sendable {
  static let interval = Duration.milliseconds(100)

  private struct Pending {
    var latest: [ScreenID: Progress] = [:]
    var lastSent: ContinuousClock.Instant?
    var isScheduled = false
  }
  private let pending = Lock<[CoordinatorPath: Pending]>([:])

  /// Stores the progress of the work on a screen.
  ///
  /// - Returns: how long to wait before calling ``take(of:)``; nil if such a call is already scheduled.
  func note(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) -> Duration? {
    pending.withLock { pending in
      var entry = pending[root] ?? Pending()
      defer { pending[root] = entry }
      entry.latest[screen] = progress
      guard !entry.isScheduled else { return nil }
      entry.isScheduled = true
      guard let lastSent = entry.lastSent else { return .zero }
      return max(.zero, Self.interval - lastSent.duration(to: .now))
    }
  }

  /// Removes and returns the progress to announce now, by screen.
  func take(of root: CoordinatorPath) -> [ScreenID: Progress] {
    pending.withLock { pending in
      guard var entry = pending[root] else { return [:] }
      defer { pending[root] = entry }
      entry.isScheduled = false
      entry.lastSent = .now
      defer { entry.latest = [:] }
      return entry.latest
    }
  }

  /// Removes a tree that has ended.
  func forget(_ root: CoordinatorPath) { pending.withLock { $0[root] = nil } }
}
