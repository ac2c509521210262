import Platform

/// Runs that may still do something, by the coordinator's instance, so that no step is done by two of them side by side. May
/// be used from any thread.
final class RunDepartures: Sendable {
  private let runs = Lock<[String: [any ScriptRun]]>([:])
  /// What an earlier process of this program has left.
  let orphans: Departure

  /// Creates a list.
  ///
  /// - Parameter orphans: the moment from which on nothing is left of an earlier process of this program.
  init(orphans: Departure) { self.orphans = orphans }

  /// Adds a run that was started.
  func add(_ run: any ScriptRun, of instance: String) {
    runs.withLock { $0[instance, default: []].append(run) }
    Task {
      await run.departure.wait()
      runs.withLock { runs in
        runs[instance]?.removeAll { $0 === run }
        if runs[instance]?.isEmpty == true { runs[instance] = nil }
      }
    }
  }

  /// Waits until no earlier run of an instance is left. All of them have ended, or were stopped.
  func before(_ run: any ScriptRun, of instance: String) async {
    await orphans.wait()
    for other in runs.withLock({ $0[instance] ?? [] }) where other.number < run.number { await other.departure.wait() }
  }
}
