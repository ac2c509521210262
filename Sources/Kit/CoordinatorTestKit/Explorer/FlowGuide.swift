import CoordinatorKit

/// Decides about a walk through a flow what depends on who serves the flow, and learns of everything that happens.
///
/// With a guide, each run continues from a state as it is, work included: what the guide lets happen leads to the same state
/// wherever it is tried. What happens by itself, because it is the only thing that can, happens at once and in the same run.
package protocol FlowGuide: Sendable {
  /// Returns what is tried in a state.
  ///
  /// - Parameters:
  ///   - state: the state, which was not reached before.
  ///   - offered: everything that can happen, as the explorer knows it.
  /// - Returns: the moves, among them others than the explorer knows; none to go no further from here.
  func moves(in state: TreeState, from offered: [FlowMove]) async -> [FlowMove]

  /// Returns a text that is the same for states that are equivalent.
  func key(of state: TreeState) async -> String

  /// Learns of something that has happened. The next calls are about ``FlowStep/after``.
  func happened(_ step: FlowStep) async

  /// What may grow in a state without end, by its name for people.
  func sizes(of state: TreeState) async -> [String: Double]

  /// Whether to make another move, of which there are some.
  var goesOn: Bool { get async }
}

/// Something that has happened to a flow that is explored.
package struct FlowStep: Sendable {
  /// The state before the move; nil before the start.
  package let before: TreeState?
  /// The move; nil for the start.
  package let move: FlowMove?
  /// What the flow has answered.
  package let answer: FlowRun.Answer
  package let after: TreeState
}
