import CoordinatorKit

/// What a ``FlowExplorer`` found in a flow.
public struct FlowWalk: Sendable, CustomStringConvertible {
  /// The name of the explored flow.
  public let flow: String
  /// The names of the screens that were on top, in the order in which they were found.
  public internal(set) var screens: [String] = []
  /// The shortest path to each screen: screens and moves on them, alternating.
  public internal(set) var paths: [String: [String]] = [:]
  /// The codes of the messages on those screens, in the order in which they were found.
  public internal(set) var messages: [String] = []
  /// The outcomes of the flow that users can cause other than by Dismiss, in the order in which they were found.
  public internal(set) var outcomes: [Outcome] = []
  /// The number of different states that were visited.
  public internal(set) var states = 0
  /// The number of moves that were made.
  public internal(set) var moves = 0
  /// Whether all states were visited; false if the explorer reached its limit.
  public internal(set) var isComplete = true
  /// The part of the state that keeps growing, so that walking further may not end; nil if the walk is complete, or if there is
  /// none.
  public internal(set) var growth: String?

  /// The problems, including those that the test may expect.
  var found: [FlowProblem] = []
  /// The events that were taken, each with the shortest path to it.
  var taken: [String: [String]] = [:]
  /// The events that screens offered.
  var offered: Set<String> = []

  init(of flow: String) { self.flow = flow }

  /// A summary on one line.
  public var description: String {
    let extent = isComplete ? "all" : "more than"
    return "\(flow): \(screens.count) screens, \(extent) \(states) states, \(moves) moves, \(outcomes.count) outcomes"
  }

  /// Throws unless the flow is as expected and has no other problems.
  ///
  /// - Parameters:
  ///   - screens: the names of all screens that the flow, and the flows that it starts, should have.
  ///   - leavingToParent: the events that are offered but not taken, because they are for the parent of this flow.
  ///   - failing: the codes of the failures that coordinators may end with.
  ///   - refusingCancel: the names of the screens on which the flow may refuse to be cancelled.
  ///   - completely: whether all states must be visited; pass false for a flow with infinitely many states.
  /// - Throws: ``FlowProblems`` with all problems.
  public func expect(
    screens: Set<String>, leavingToParent: Set<String> = [], failing: Set<String> = [], refusingCancel: Set<String> = [],
    completely: Bool = true
  ) throws(FlowProblems) {
    let problems = problems(
      screens: screens, leavingToParent: leavingToParent, failing: failing, refusingCancel: refusingCancel,
      completely: completely)
    guard problems.isEmpty else { throw FlowProblems(flow: flow, problems: problems) }
  }

  /// Returns all problems, nearest to the start first, as thrown by
  /// ``expect(screens:leavingToParent:failing:refusingCancel:completely:)``.
  ///
  /// - Parameters:
  ///   - expected: the names of all screens that the flow, and the flows that it starts, should have.
  ///   - leavingToParent: the events that are offered but not taken, because they are for the parent of this flow.
  ///   - failing: the codes of the failures that coordinators may end with.
  ///   - refusingCancel: the names of the screens on which the flow may refuse to be cancelled.
  ///   - completely: whether all states must be visited.
  /// - Returns: the problems; empty if the flow is as expected.
  public func problems(
    screens expected: Set<String>, leavingToParent: Set<String> = [], failing: Set<String> = [],
    refusingCancel: Set<String> = [], completely: Bool = true
  ) -> [FlowProblem] {
    var unused: [FlowProblem.Parameter: Set<String>] = [
      .leavingToParent: leavingToParent.subtracting(offered), .failing: failing, .refusingCancel: refusingCancel,
    ]
    var problems: [FlowProblem] = []
    for problem in found {
      switch problem.kind {
      case .nobodyTakes(_, let event) where leavingToParent.contains(event): break
      case .fails(_, let failure) where failing.contains(failure.code): unused[.failing]?.remove(failure.code)
      case .cancelIsRefused(let screen, _) where refusingCancel.contains(screen): unused[.refusingCancel]?.remove(screen)
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
    for parameter in FlowProblem.Parameter.allCases {
      problems += (unused[parameter] ?? []).sorted().map { FlowProblem(kind: .neverComesUp($0, in: parameter), path: []) }
    }
    if completely && !isComplete {
      problems.append(FlowProblem(kind: .isIncomplete(states: states), path: []))
      if let growth { problems.append(FlowProblem(kind: .growsWithoutEnd(growth), path: [])) }
    }
    return problems
  }

  /// Records a problem, unless it has been recorded with a shorter path.
  mutating func note(_ kind: FlowProblem.Kind, at path: [String] = []) {
    if !found.contains(where: { $0.kind == kind }) { found.append(FlowProblem(kind: kind, path: path)) }
  }
}

/// The events that screens offer, and the answers to them.
struct Offers {
  private struct Offer {
    let path: [String]
    /// Whether a payload for the event is known.
    var canBeTried: Bool
    var isTaken = false
    var refusal: CallError?
  }

  private var offers: [FlowMove.Place: Offer] = [:]
  private var order: [FlowMove.Place] = []

  /// Records that a screen offers an event.
  ///
  /// - Parameters:
  ///   - place: the screen and the event.
  ///   - canBeTried: whether there is a move for it.
  ///   - path: the path to the screen.
  mutating func note(_ place: FlowMove.Place, canBeTried: Bool, at path: [String]) {
    guard offers[place] == nil else {
      if canBeTried { offers[place]?.canBeTried = true }
      return
    }
    offers[place] = Offer(path: path, canBeTried: canBeTried)
    order.append(place)
  }

  /// Records the answer to an attempt.
  mutating func note(_ answer: FlowRun.Answer, to place: FlowMove.Place) {
    guard var offer = offers[place] else { return }
    switch answer {
    case .taken, .refused(.failed): offer.isTaken = true
    case .refused(let error): offer.refusal = offer.refusal ?? error
    case .stuck: break
    }
    offers[place] = offer
  }

  /// Reports the events that were never taken, and those that were.
  func report(to walk: inout FlowWalk) {
    for place in order {
      guard let offer = offers[place] else { continue }
      switch offer.refusal {
      case _ where offer.isTaken:
        walk.taken[place.name] = walk.taken[place.name] ?? offer.path
      case .unknownEvent(let unknown)?:
        walk.note(.nobodyTakes(screen: place.screen, event: unknown.event), at: offer.path)
      case let error?:
        walk.note(.isAlwaysRefused(screen: place.screen, event: place.name, error), at: offer.path)
      case nil where !offer.canBeTried:
        walk.note(.isNeverTried(screen: place.screen, event: place.name), at: offer.path)
      case nil: break
      }
    }
  }
}
