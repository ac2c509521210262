/// What the script protocol has beyond its first version, as the variable `COORDINATOR_FEATURES` of a run lists it.
package enum ScriptFeature: String, Sendable, Hashable, CaseIterable {
  /// Assignments for `eval` are printed only where the script asks for them. Belongs to runs that were begun by an engine
  /// with this feature: the scripts of older runs may rely on what was printed before.
  case assignments
  /// The engine counts the attempts of a step or look that is tried again, and lets it begin each time.
  case attempts
  /// The members of a child's result that are printed are named.
  case resultKeys = "result-keys"
  /// A step is undone by the words of a command, which no shell reads.
  case undoWords = "undo-words"

  /// Whether a run keeps what it began with, also under a newer engine.
  package var belongsToRun: Bool { self == .assignments }

  /// The features that a run keeps which begins now.
  package static let ofRuns = Set(allCases.filter(\.belongsToRun))
}
