import ScriptEngine

/// A run that waits, with what the engine knows of it.
struct LiveRun: Sendable {
  let run: any ScriptRun
  /// The digest of the script that it executes.
  let digest: String
  /// What the daemon has been told of the log. Only if it still holds this, the run is of use.
  var state: String
  var log: ScriptLog
  var screens: RunScreens
  /// When something has last happened in it.
  var lastUse = ContinuousClock.now
}
