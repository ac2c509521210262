import Platform

/// The values that the work of one tree has reported and that are not shown yet. May be used from any thread.
///
/// Of each coordinator, only the last value is kept, and it is shown at most once per ``interval``.
final class LiveReports: Sendable {
  /// The shortest time between two updates of one coordinator's screens.
  static var interval: Duration { .milliseconds(100) }

  /// What a piece of work reported.
  struct Report: Sendable {
    let work: WorkID
    let value: any Sendable
  }

  /// When a report is to be shown.
  enum Due: Sendable {
    case now
    case after(Duration)
    /// Together with an earlier one that is not shown yet.
    case already
  }

  private struct State: Sendable {
    var waiting: [CoordinatorPath: Report] = [:]
    var shown: [CoordinatorPath: ContinuousClock.Instant] = [:]
  }

  private let state = Lock(State())

  /// Adds a report, in place of one of the same coordinator that is not shown yet.
  ///
  /// - Returns: when to show it.
  func add(_ report: Report, of path: CoordinatorPath, at now: ContinuousClock.Instant) -> Due {
    state.withLock { state in
      // A report of work that has been replaced must not displace one of the work that has replaced it.
      if let waiting = state.waiting[path], waiting.work.number > report.work.number { return .already }
      guard state.waiting.updateValue(report, forKey: path) == nil else { return .already }
      guard let last = state.shown[path], last + Self.interval > now else { return .now }
      return .after(now.duration(to: last + Self.interval))
    }
  }

  /// Removes and returns the last report of a coordinator, because it is about to be shown.
  func take(_ path: CoordinatorPath, at now: ContinuousClock.Instant) -> Report? {
    state.withLock { state in
      state.shown[path] = now
      return state.waiting.removeValue(forKey: path)
    }
  }

  /// Forgets a coordinator that has ended.
  func forget(_ path: CoordinatorPath) {
    state.withLock { state in
      state.waiting[path] = nil
      state.shown[path] = nil
    }
  }
}
