import CoordinatorKit

/// What a ``FlowExplorer`` has seen of a flow.
public struct FlowWalk: Sendable, CustomStringConvertible {
  /// The flow that was explored.
  public let flow: String
  /// The screens that were on top, by name, in the order in which they were found.
  public internal(set) var screens: [String] = []
  /// The shortest way to each screen: screens and what is done on them, in turns.
  public internal(set) var paths: [String: [String]] = [:]
  /// The codes of the messages that were on them, in the order in which they were found.
  public internal(set) var messages: [String] = []
  /// How the flow can end by what its user does, other than by Dismiss; in the order in which it was found.
  public internal(set) var outcomes: [Outcome] = []
  /// How many different states were visited.
  public internal(set) var states = 0
  /// How many moves were made from them.
  public internal(set) var moves = 0
  /// Whether all states were visited; false if there are more than the explorer was allowed to.
  public internal(set) var isComplete = true

  /// What is wrong unless the test expects it.
  var found: [FlowProblem] = []
  /// The events that were taken, each with the shortest way to it.
  var taken: [String: [String]] = [:]
  /// The events that a screen offered.
  var offered: Set<String> = []

  init(of flow: String) { self.flow = flow }

  /// The walk in a line.
  public var description: String {
    let extent = isComplete ? "all" : "more than"
    return "\(flow): \(screens.count) screens, \(extent) \(states) states, \(moves) moves, \(outcomes.count) outcomes"
  }

  /// Throws unless the flow is as expected, and nothing else is wrong with it.
  ///
  /// - Parameters:
  ///   - screens: the names of all screens that the flow, and those that it starts, are to have.
  ///   - leavingToParent: events that are offered, and not taken, since they are for the parent of this flow.
  ///   - failing: the codes of failures by which coordinators may end.
  ///   - refusingDismiss: the names of the screens on which the flow may refuse to be dismissed.
  ///   - completely: whether all states are to be visited; false for a flow that has no end of them.
  /// - Throws: ``FlowProblems``, with all that is wrong.
  public func expect(
    screens: Set<String>, leavingToParent: Set<String> = [], failing: Set<String> = [], refusingDismiss: Set<String> = [],
    completely: Bool = true
  ) throws(FlowProblems) {
    let problems = problems(
      screens: screens, leavingToParent: leavingToParent, failing: failing, refusingDismiss: refusingDismiss,
      completely: completely)
    guard problems.isEmpty else { throw FlowProblems(flow: flow, problems: problems) }
  }

  /// All that is wrong, nearest to the start first; what
  /// ``expect(screens:leavingToParent:failing:refusingDismiss:completely:)`` throws.
  ///
  /// - Parameters:
  ///   - expected: the names of all screens that the flow, and those that it starts, are to have.
  ///   - leavingToParent: events that are offered, and not taken, since they are for the parent of this flow.
  ///   - failing: the codes of failures by which coordinators may end.
  ///   - refusingDismiss: the names of the screens on which the flow may refuse to be dismissed.
  ///   - completely: whether all states are to be visited.
  /// - Returns: what is wrong; nothing if the flow is as expected.
  public func problems(
    screens expected: Set<String>, leavingToParent: Set<String> = [], failing: Set<String> = [],
    refusingDismiss: Set<String> = [], completely: Bool = true
  ) -> [FlowProblem] {
    var unused = leavingToParent.subtracting(offered).union(failing).union(refusingDismiss)
    var problems: [FlowProblem] = []
    for problem in found {
      switch problem.kind {
      case .nobodyTakes(_, let event) where leavingToParent.contains(event): break
      case .fails(_, let failure) where failing.contains(failure.code): unused.remove(failure.code)
      case .dismissIsRefused(let screen, _) where refusingDismiss.contains(screen): unused.remove(screen)
      default: problems.append(problem)
      }
    }
    for screen in screens where !expected.contains(screen) {
      problems.append(FlowProblem(kind: .isUnexpected(screen: screen), path: paths[screen] ?? []))
    }
    for event in leavingToParent.sorted() {
      guard let path = taken[event] else { continue }
      problems.append(FlowProblem(kind: .isNotLeftToParent(event: event), path: path))
    }
    problems.sort { $0.path.count < $1.path.count }
    problems += expected.subtracting(screens).sorted().map { FlowProblem(kind: .isUnreachable(screen: $0), path: []) }
    problems += unused.sorted().map { FlowProblem(kind: .neverComesUp($0), path: []) }
    if completely && !isComplete { problems.append(FlowProblem(kind: .isIncomplete(states: states), path: [])) }
    return problems
  }

  /// Notes a problem, unless it has been seen on a shorter way.
  mutating func note(_ kind: FlowProblem.Kind, at path: [String] = []) {
    if !found.contains(where: { $0.kind == kind }) { found.append(FlowProblem(kind: kind, path: path)) }
  }
}
