import Platform
import ScriptEngine

/// The runs that wait, by the coordinator's instance. Nothing depends on them: a run that is gone is done again. May be
/// used from any thread.
final class RunCache: Sendable {
  private struct State: Sendable {
    var runs: [String: LiveRun] = [:]
    var isSweeping = false
  }

  /// How long a run may wait for the next answer.
  private let patience: Duration
  private let state = Lock(State())

  /// Creates a cache.
  ///
  /// - Parameter patience: how long a run may wait for the next answer; zero to keep none.
  init(patience: Duration) { self.patience = patience }

  /// Takes the run of an instance out.
  func take(_ instance: String) -> LiveRun? { state.withLock { $0.runs.removeValue(forKey: instance) } }

  /// The run of an instance, which stays.
  func look(_ instance: String) -> LiveRun? { state.withLock { $0.runs[instance] } }

  /// Puts a run back.
  func put(_ run: LiveRun, for instance: String) {
    var run = run
    run.lastUse = .now
    let old = state.withLock { $0.runs.updateValue(run, forKey: instance) }
    if let old, old.run !== run.run { old.run.stop(.evicted) }
    // While a step is done, the run is needed.
    if patience == .zero, run.log.firstOpen.map({ run.log.entries[$0].step == nil }) ?? true, run.log.undoing == nil,
      run.log.running == nil
    {
      end(instance, .evicted)
    } else {
      sweep()
    }
  }

  /// Stops the run of an instance, if there is one.
  func end(_ instance: String, _ reason: StopReason) { take(instance)?.run.stop(reason) }

  /// Stops all runs.
  func endAll() {
    let runs = state.withLock { state in
      defer { state.runs = [:] }
      return state.runs.values.map(\.run)
    }
    for run in runs { run.stop(.evicted) }
  }

  /// Stops the runs of scripts that have changed.
  func endChanged(_ digests: [String: String], flow: @Sendable (String) -> String?) {
    let changed = state.withLock { state in
      let changed = state.runs.filter { key, run in
        flow(key).map { digests[$0] != run.digest } ?? false && !run.run.inbox.isWorking
      }
      for key in changed.keys { state.runs[key] = nil }
      return changed.values.map(\.run)
    }
    for run in changed { run.stop(.changed) }
  }

  /// Starts to look for runs that have waited for long, unless somebody does.
  private func sweep() {
    let isNew = state.withLock { state in
      defer { state.isSweeping = true }
      return !state.isSweeping
    }
    guard isNew else { return }
    Task {
      while true {
        try? await Task.sleep(for: max(patience / 6, .milliseconds(100)))
        let (old, isDone) = state.withLock { state in
          // A run whose step was ordered is about to be told to do it.
          let limit = max(patience, .seconds(20))
          let old = state.runs.filter { $0.value.lastUse + limit < .now && !$0.value.run.inbox.isWorking }
          for key in old.keys { state.runs[key] = nil }
          if state.runs.isEmpty { state.isSweeping = false }
          return (old.values.map(\.run), state.runs.isEmpty)
        }
        for run in old { run.stop(.evicted) }
        if isDone { return }
      }
    }
  }
}
