import ScriptEngine

/// A run that waits, with what the engine knows of it.
struct LiveRun: Sendable {
  let run: any ScriptRun
  /// The flow that it is a run of.
  let flow: String
  /// The digest of the script that it executes.
  let digest: String
  /// The language in which it asks.
  let language: String?
  /// What the daemon has been told of the log. Only if it still holds this, the run is of use.
  var state: String
  var log: ScriptLog
  var screens: RunScreens
  /// When something has last happened in it.
  var lastUse = ContinuousClock.now

  /// Whether something is done in it at this moment.
  var isUnderWay: Bool { run.inbox.isWorking || log.running != nil }

  /// Whether something is done in it, or is about to be.
  var isNeeded: Bool {
    isUnderWay || log.undoing != nil || log.entries.contains { $0.isOpen && $0.step != nil }
  }
}
