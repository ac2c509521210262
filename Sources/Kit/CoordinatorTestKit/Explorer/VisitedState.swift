import CoordinatorKit

/// A state that a walk has been in.
struct VisitedState {
  /// How it was come to.
  enum Origin {
    case start(input: [String: JSONValue])
    /// By a move from the state of this index.
    case move(FlowMove, from: Int)
  }

  let key: StateKey
  let state: TreeState
  let origin: Origin
  /// The way here for people: screens, and what is done on them, in turns.
  let path: [String]
  /// A run that is in this state now, for the next move from it.
  var run: FlowRun?
  /// Whether the move that led here leads here again; nil until it was tried.
  var isRepeatable: Bool?
  /// Whether something from outside went on from here.
  var isLeftFromOutside = false

  /// Whether a run can begin here: work cannot be begun in the middle, and its secrets are gone.
  var canBeContinued: Bool { isRepeatable == true && state.work.isEmpty }
}
