import CoordinatorKit
import Platform

/// Takes progress from any thread at any rate, and lets it through at most ten times a second for each tree: the latest of each screen.
final class ProgressCollector: Sendable {
  static let interval = Duration.milliseconds(100)

  private struct Pending {
    var latest: [ScreenID: Progress] = [:]
    var lastSent: ContinuousClock.Instant?
    var isScheduled = false
  }
  private let pending = Lock<[CoordinatorPath: Pending]>([:])

  /// Notes how far work has come.
  ///
  /// - Returns: how long to wait before ``take(of:)``; nil if somebody waits already.
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

  /// Takes what is to be told now.
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

  /// Forgets a tree that has ended.
  func forget(_ root: CoordinatorPath) { pending.withLock { $0[root] = nil } }
}
