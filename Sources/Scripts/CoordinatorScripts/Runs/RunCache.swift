import CoordinatorKit
import Platform
import ScriptEngine

/// The waiting runs, by the coordinator's instance. Correctness does not depend on them: a missing run is executed again. May
/// be used from any thread.
final class RunCache: Sendable {
  private struct State: Sendable {
    var runs: [String: LiveRun] = [:]
    /// How many decisions borrow the run of an instance, and the tasks that wait for their end.
    var borrowed: [String: Int] = [:]
    var waiters: [String: [CheckedContinuation<Void, Never>]] = [:]
    var isSweeping = false
  }

  /// How long a run may wait for the next answer.
  private let patience: Duration
  /// The maximum number of kept runs.
  private let capacity: Int
  private let state = Lock(State())

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - patience: how long a run may wait for the next answer; zero to keep none.
  ///   - capacity: the maximum number of kept runs.
  init(patience: Duration, capacity: Int) { (self.patience, self.capacity) = (patience, capacity) }

  /// Removes the run of an instance from the cache, and returns it. Call ``giveBack(_:)`` afterwards.
  func borrow(_ instance: String) -> LiveRun? {
    state.withLock { state in
      state.borrowed[instance, default: 0] += 1
      return state.runs.removeValue(forKey: instance)
    }
  }

  /// Ends ``borrow(_:)``: the caller has put the run back, or has stopped it.
  func giveBack(_ instance: String) {
    let waiters = state.withLock { state in
      state.borrowed[instance] = state.borrowed[instance].flatMap { $0 > 1 ? $0 - 1 : nil }
      return state.borrowed[instance] == nil ? state.waiters.removeValue(forKey: instance) ?? [] : []
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns the run of an instance without removing it; waits while a decision about the instance is under way.
  func look(_ instance: String) async -> LiveRun? {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.borrowed[instance] != nil else { return true }
        state.waiters[instance, default: []].append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
    return state.withLock { $0.runs[instance] }
  }

  /// Puts a run back.
  func put(_ run: LiveRun, for instance: String) {
    var run = run
    run.lastUse = .now
    let (old, surplus) = state.withLock { state in
      let old = state.runs.updateValue(run, forKey: instance)
      return (old, state.runs.count > capacity ? Self.oldest(in: &state) : nil)
    }
    if let old, old.run !== run.run { old.run.stop(.evicted) }
    surplus?.run.stop(.evicted)
    if patience == .zero, !run.isNeeded {
      end(instance, .evicted)
    } else {
      sweep()
    }
  }

  private static func oldest(in state: inout State) -> LiveRun? {
    let oldest = state.runs.filter { !$0.value.isNeeded }.min { $0.value.lastUse < $1.value.lastUse }
    return oldest.flatMap { state.runs.removeValue(forKey: $0.key) }
  }

  /// Stops the run of an instance, if there is one.
  func end(_ instance: String, _ reason: StopReason) {
    state.withLock { $0.runs.removeValue(forKey: instance) }?.run.stop(reason)
  }

  /// Stops all runs.
  func endAll() {
    let runs = state.withLock { state in
      defer { state.runs = [:] }
      return state.runs.values.map(\.run)
    }
    for run in runs { run.stop(.evicted) }
  }

  /// Stops the runs of scripts that have changed.
  ///
  /// - Parameter digests: the digests of the scripts by the names of their flows.
  func endChanged(_ digests: [String: String]) {
    let changed = state.withLock { state in
      let changed = state.runs.filter { digests[$0.value.flow] != $0.value.digest && !$0.value.isNeeded }
      for key in changed.keys { state.runs[key] = nil }
      return changed.values.map(\.run)
    }
    for run in changed { run.stop(.changed) }
  }

  /// Starts looking for runs that have waited too long, unless a task already does.
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
          // A run whose step was ordered is about to perform it.
          let limit = max(patience, .seconds(20))
          let old = state.runs.filter { $0.value.lastUse + limit < .now && !$0.value.isUnderWay }
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

/// The parts that the runs of all scripts share: their starter, their cache, and the notes about them.
struct ScriptRuns: Sendable {
  let starter: RunStarter
  let cache: RunCache
  let notes: AuthorNotes
  /// The translations of the texts that scripts do not word themselves.
  let translations: Translations
  /// The results of steps that are secrets.
  let results = SecretResults()
}

/// A waiting run, and the engine's data about it.
struct LiveRun: Sendable {
  let run: any ScriptRun
  /// The name of the run's flow.
  let flow: String
  /// The digest of the script that it executes.
  let digest: String
  /// The language in which it asks.
  let language: String?
  /// The log as the daemon has last received it. The run is usable only if the daemon still has this state.
  var state: String
  var log: ScriptLog
  var screens: RunScreens
  /// The time of its last event.
  var lastUse = ContinuousClock.now

  /// Whether it performs work at this moment.
  var isUnderWay: Bool { run.inbox.isWorking || log.running != nil }

  /// Whether it performs work, or is about to.
  var isNeeded: Bool {
    isUnderWay || log.undoing != nil || log.entries.contains { $0.isOpen && $0.step != nil }
  }
}
