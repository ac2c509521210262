import CoordinatorKit

/// Explores every path through a flow: every screen, every action, Back from everywhere, and everything that a user can
/// do while work runs.
///
/// One test per flow is enough, and the paths need not be written down:
///
/// ```swift
/// @Test("every way through is walked")
/// func explored() async throws {
///   let walk = try await FlowExplorer("schedule-visit", in: catalogue).walk()
///   try walk.expect(screens: ["select-visit-type", "select-pain-level", "faking-it", "no-appointment-required"])
/// }
/// ```
///
/// If the handler of `is-fake` is removed, the test fails with
///
/// ```
/// schedule-visit has a problem:
/// - select-visit-type ▸ sick ▸ select-pain-level ▸ none ▸ faking-it: nobody takes "is-fake"
/// ```
///
/// ## What It Does
///
/// The explorer visits the states of the running flow, nearest first, and makes each possible move from each state in a
/// separate run that continues from that state. Before it continues from a state, it reaches the state a second time
/// and checks that it is the same. The moves are:
///
/// - every action of the top screen; the action that sends a form is tried with payloads that the form accepts, and
///   with ``answers``;
/// - `Event.select` of its items: all of them if there are few, otherwise the first, the last, and some in between;
/// - the change of each answer under review;
/// - Back, and Dismiss of the whole flow;
/// - the end of each running piece of work, which is held back until then so that the other moves are also tried while
///   the work runs;
/// - ``outsideEvents``, which do not come from a screen.
///
/// ## What It Finds
///
/// - an event that a screen offers and that no coordinator takes, or that is always refused;
/// - a screen, or a route of a `CaseIterable` type, that is never shown;
/// - a coordinator that fails;
/// - a dead end;
/// - Back or Dismiss that does not do what it should;
/// - two items or actions with the same id;
/// - work that does not end;
/// - a flow that depends on chance, or that continues differently when its coordinators are recreated from their state,
///   as after a restart.
///
/// All problems are reported together, each with the shortest path to it. See ``FlowProblem``.
///
/// ## What It Needs
///
/// Inject the data sources into the flow. They must answer immediately, and always with the same data. A list of three
/// items is explored as thoroughly as one of three hundred, and in less time.
///
/// Work that shows live values may run forever if it waits with `WorkContext.sleep(for:)`, which takes no time here, and
/// with `WorkContext.untilWatched()`: a renderer is attached. Each state is examined when that work is at rest.
public struct FlowExplorer: Sendable {
  /// The name of the flow to explore.
  public var flow: String
  /// The catalogue that contains the flow and the flows that it starts.
  public var catalogue: FlowCatalogue
  /// The inputs to start the flow with, one after the other.
  public var inputs: [[String: JSONValue]]
  /// Payloads to try in addition to those that are derived from the schema, by the name of a screen with a form.
  public var answers: [String: [[String: JSONValue]]]
  /// Whether the screens in ``answers`` are tried with these payloads only. Use it for a long flow, in which each
  /// further payload multiplies the number of states.
  public var triesOnlyAnswers = false
  /// Events that do not come from a screen, but for example from a script or a hardware button. Tried in every state.
  public var outsideEvents: [String]
  /// The limits of the flow tree. `Limits.maxDepth` stops a flow whose children start each other.
  public var limits: Limits
  /// The maximum number of states to visit. After half of them, moves that have not been tried anywhere take
  /// precedence; the paths found then are not necessarily the shortest.
  public var maxStates: Int
  /// The number of items of a list to select.
  public var itemsPerList: Int
  /// The number up to which counts make a difference. States that differ only in larger numbers in the coordinators'
  /// states are considered equal: with 2, the explorer distinguishes 0, 1, and many.
  public var countingTo: Int
  /// The time limit for a piece of work.
  public var patience: Duration
  /// Returns the name of the root coordinator of another run; nil for the same name each time.
  ///
  /// With names, and without a guide, each run starts from the beginning, so that another process that serves the flow sees a
  /// separate coordinator in each run.
  package var nextRoot: (@Sendable () -> String)?
  /// The time at which each run starts.
  package var startTime = Timestamp(microseconds: 0)
  /// Whether timers go off. A run's clock stands still otherwise.
  package var firesTimers = false
  /// With how many generated payloads each form is sent.
  package var payloadsPerForm = Int.max
  /// Whether a move that a provider could not decide is retried.
  package var triesAgain = true
  /// Makes the decisions of the walk that depend on the provider of the flow; nil for the explorer's own decisions.
  package var guide: (any FlowGuide)?
  /// Called with the path of each move that was not taken, and with the reason.
  package var whenRefused: (@Sendable (_ path: [String], _ error: CallError) -> Void)?

  /// Creates an explorer of a flow.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - catalogue: the catalogue that contains the flow and the flows that it starts.
  ///   - inputs: the inputs to start the flow with, one after the other.
  ///   - answers: payloads to try in addition to those that are derived from the schema, by the name of a screen with a
  ///     form.
  ///   - outsideEvents: events that do not come from a screen.
  ///   - limits: the limits of the flow tree.
  ///   - maxStates: the maximum number of states to visit.
  ///   - itemsPerList: the number of items of a list to select.
  ///   - countingTo: the number up to which counts make a difference.
  ///   - patience: the time limit for a piece of work.
  public init(
    _ flow: String, in catalogue: FlowCatalogue, inputs: [[String: JSONValue]] = [[:]],
    answers: [String: [[String: JSONValue]]] = [:], outsideEvents: [String] = [], limits: Limits = Limits(),
    maxStates: Int = 500, itemsPerList: Int = 3, countingTo: Int = 2, patience: Duration = .seconds(10)
  ) {
    self.flow = flow
    self.catalogue = catalogue
    self.inputs = inputs
    self.answers = answers
    self.outsideEvents = outsideEvents
    self.limits = limits
    self.maxStates = maxStates
    self.itemsPerList = itemsPerList
    self.countingTo = countingTo
    self.patience = patience
  }

  /// Creates an explorer of a flow that does not start other flows and takes no input.
  ///
  /// ```swift
  /// try await FlowExplorer { Coffee() }.walk().expect(screens: ["size", "done"])
  /// ```
  ///
  /// - Parameter make: creates a coordinator of the flow.
  /// - Throws: `FlowCatalogueError` if the description of the flow is invalid.
  public init<C: Coordinator>(_ make: @escaping @Sendable () -> C) throws(FlowCatalogueError) {
    var catalogue = FlowCatalogue()
    try catalogue.add(make)
    self.init(C.flow.name, in: catalogue)
  }

  /// Explores every path through the flow.
  ///
  /// - Returns: the findings; check them with
  ///   ``FlowWalk/expect(screens:leavingToParent:failing:refusingCancel:completely:)``.
  /// - Throws: `CancellationError` if the test is cancelled.
  public func walk() async throws -> FlowWalk {
    var exploration = Exploration(self)
    return try await exploration.walk()
  }
}

/// Makes the decisions of a walk through a flow that depend on its provider, and observes all moves.
///
/// With a guide, each run continues from a state without a restart, including its work, because a move of the guide leads to
/// the same state wherever it is made. If only one move is possible, and it happens by itself, it is made at once and in the
/// same run.
package protocol FlowGuide: Sendable {
  /// Returns the moves to try in a state.
  ///
  /// - Parameters:
  ///   - state: the state, which was not reached before.
  ///   - offered: all possible moves that the explorer knows.
  /// - Returns: the moves, which may include others; none to stop here.
  func moves(in state: TreeState, from offered: [FlowMove]) async -> [FlowMove]

  /// Returns a text that is the same for equivalent states.
  func key(of state: TreeState) async -> String

  /// Called after each move. The next calls are about ``FlowStep/after``.
  func happened(_ step: FlowStep) async

  /// Returns the sizes that may grow without end in a state, by their names for people.
  func sizes(of state: TreeState) async -> [String: Double]

  /// Whether to make another move. Read only while moves remain.
  var goesOn: Bool { get async }
}

/// A move of a flow that is explored, and its result.
package struct FlowStep: Sendable {
  /// The state before the move; nil before the start.
  package let before: TreeState?
  /// The move; nil for the start.
  package let move: FlowMove?
  /// The answer of the flow.
  package let answer: FlowRun.Answer
  package let after: TreeState
}
