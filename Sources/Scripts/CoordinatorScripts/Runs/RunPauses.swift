import Platform

/// When runs may begin that have to wait. May be used from any thread.
final class RunPauses: Sendable {
  private struct Mishaps: Sendable {
    var count = 0
    var last: ContinuousClock.Instant
  }

  private struct State: Sendable {
    /// Until when the next run of an instance has to wait.
    var ends: [String: ContinuousClock.Instant] = [:]
    /// How often in a row the process of a script has ended without anybody's doing, by the path of the script.
    var mishaps: [String: Mishaps] = [:]
  }

  /// After how long a process that has ended says nothing about the next one.
  private static let memory = Duration.seconds(60)

  private let state = Lock(State())

  /// Has the next run of an instance wait.
  func set(_ instance: String, until end: ContinuousClock.Instant) { state.withLock { $0.ends[instance] = end } }

  /// Forgets an instance.
  func forget(_ instance: String) { state.withLock { _ = $0.ends.removeValue(forKey: instance) } }

  /// The process of a script has ended, and no run can be blamed.
  func note(_ path: String, at now: ContinuousClock.Instant = .now) {
    state.withLock { state in
      state.mishaps = state.mishaps.filter { $0.value.last + Self.memory > now }
      state.mishaps[path] = Mishaps(count: (state.mishaps[path]?.count ?? 0) + 1, last: now)
    }
  }

  /// How long nothing is started after so many processes in a row that have ended without anybody's doing: the first one may
  /// be chance.
  static func pause(after mishaps: Int) -> Duration {
    mishaps < 2 ? .zero : .milliseconds(min(10_000, 250 << min(mishaps - 2, 6)))
  }

  /// Until when a run has to wait.
  private func end(_ instance: String, _ path: String) -> ContinuousClock.Instant? {
    state.withLock { state in
      let ofScript = state.mishaps[path].map { $0.last + Self.pause(after: $0.count) }
      let end = [state.ends[instance], ofScript].compactMap(\.self).max()
      // So that the wait for it goes on as work.
      state.ends[instance] = end
      return end
    }
  }

  /// Waits until a run may begin, if that is soon.
  ///
  /// - Parameters:
  ///   - instance: the coordinator's instance.
  ///   - script: the script.
  ///   - deadline: the time to wait until.
  /// - Returns: whether it may not begin even then.
  func isLong(_ instance: String, of script: Script, until deadline: ContinuousClock.Instant) async -> Bool {
    guard let end = end(instance, script.path), end > .now else { return false }
    try? await Task.sleep(until: min(end, deadline))
    return end > deadline
  }

  /// Waits until a run may begin.
  ///
  /// - Throws: `CancellationError`.
  func wait(for instance: String) async throws {
    guard let end = state.withLock({ $0.ends[instance] }), end > .now else { return }
    try await Task.sleep(until: end)
  }
}
