import CoordinatorKit

/// A state that a walk has visited.
struct VisitedState {
  /// How the state was reached.
  enum Origin {
    case start(input: [String: JSONValue])
    /// By a move from the state with this index.
    case move(FlowMove, from: Int)
  }

  let key: StateKey
  let state: TreeState
  let origin: Origin
  /// The path to the state for people: screens and the moves on them, alternating.
  let path: [String]
  /// A run that is currently in this state, for the next move from it.
  var run: FlowRun?
  /// Whether the move that led here leads here again; nil until that has been tried.
  var isRepeatable: Bool?
  /// Whether an event from outside was taken in this state.
  var isLeftFromOutside = false

  /// Whether a run can start in this state. Not while work runs, since work cannot be resumed and its secrets are gone.
  var canBeContinued: Bool { isRepeatable == true && state.work.isEmpty }
}
