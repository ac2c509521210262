/// What comes of an event for a script.
package enum EventVerdict: Sendable, Hashable {
  /// An entry is recorded, for which the run waits: it goes on with that. Another run may do it just as well.
  case goOn(entry: Int)
  /// A step has failed, and begins again: in the run that has done it, which waits for that, or in another one.
  case tryAgain(entry: Int)
  /// The run goes on by itself, or a new one is started.
  case goOnRunning
  /// What the run has done no longer counts: another one is needed.
  case rerun(RerunReason)
  /// The coordinator ends.
  case end(ScriptEnd)
  /// The event is refused; nothing changes.
  case refused(String)
  /// An entry is recorded, but no run waits for it: a step is being undone.
  case noted
  /// Nothing comes of it.
  case nothing
}

/// Why a run is stopped for another one.
package enum RerunReason: String, Sendable, Hashable {
  /// The log was cut by Back, or a step has to be undone.
  case back
  /// A step has lost its process.
  case interrupted
  /// The log was cut to before the form whose secret was lost.
  case secretLost = "secret-lost"
  /// A step could not be undone, after others that now have to be done again.
  case undoFailed = "undo-failed"
  /// The script begins anew.
  case again
  /// The script has changed, or its screens are wanted in another language.
  case changed
}
