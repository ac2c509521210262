import CoordinatorKit

/// Walks every way through a flow: every screen, every action, Back from everywhere, what a user can do while work runs.
///
/// One test per flow is enough, and nobody writes the ways down:
///
/// ```swift
/// @Test("every way through is walked")
/// func explored() async throws {
///   let walk = try await FlowExplorer("schedule-visit", in: catalogue).walk()
///   try walk.expect(screens: ["select-visit-type", "select-pain-level", "faking-it", "no-appointment-required"])
/// }
/// ```
///
/// If somebody takes the handler of `is-fake` out, the test fails with
///
/// ```
/// schedule-visit has a problem:
/// - select-visit-type ▸ sick ▸ select-pain-level ▸ none ▸ faking-it: nobody takes "is-fake"
/// ```
///
/// ## What it does
///
/// It visits the states of the running flow, nearest first, and makes each move that is possible there: in a run of its own, which goes on
/// from that state. Before it goes on from a state it comes to it a second time, and must find the same. The moves are:
///
/// - every action of the top screen; the one that takes a form, with payloads that the form accepts, and with ``answers``;
/// - `Event.select` of its items: of all if they are few, else of the first, the last, and some between;
/// - Back, and Dismiss of the whole flow;
/// - the end of each piece of work that runs. It is held back until then, so that the others are also tried while it runs;
/// - ``outsideEvents``, which come from no screen.
///
/// ## What it finds
///
/// An event that a screen offers and nobody takes, or that is refused each time; a screen or a route (if they can be listed:
/// `CaseIterable`) that is never shown; a coordinator that fails; a dead end; Back or Dismiss that do not do what they should; two of one
/// id; work that does not end; a flow that is driven by chance, or that goes on otherwise when its coordinators are made anew from their
/// state, as after a restart. All of it is told at once, each with the shortest way to it. See ``FlowProblem``.
///
/// ## What it needs
///
/// Flows that get their data handed in: what they work with must answer at once, and the same each time. A list of three items is
/// explored as well as one of three hundred, and in less time.
public struct FlowExplorer: Sendable {
  /// The name of the flow to explore.
  public var flow: String
  /// Where it, and the flows that it starts, come from.
  public var catalogue: FlowCatalogue
  /// What to start it with, one after the other.
  public var inputs: [[String: JSONValue]]
  /// By the name of a screen with a form: payloads to try besides those that are found from its schema.
  public var answers: [String: [[String: JSONValue]]]
  /// Events that come from no screen, but from a script or a button: tried in every state.
  public var outsideEvents: [String]
  /// How much the flow tree may hold. A flow whose children start each other is stopped by `Limits.maxDepth`.
  public var limits: Limits
  /// How many states to visit at most. Beyond half of them, what has not been tried anywhere comes first; the ways that are found then
  /// may not be the shortest.
  public var maxStates: Int
  /// How many items of a list to choose.
  public var itemsPerList: Int
  /// States that differ only by numbers above this, in what coordinators know, are taken for the same: 0, 1, many.
  public var countingTo: Int
  /// How long a piece of work may take.
  public var patience: Duration

  /// An explorer of a flow.
  ///
  /// - Parameters:
  ///   - flow: the name of the flow.
  ///   - catalogue: where it, and the flows that it starts, come from.
  ///   - inputs: what to start it with, one after the other.
  ///   - answers: by the name of a screen with a form, payloads to try besides those that are found from its schema.
  ///   - outsideEvents: events that come from no screen.
  ///   - limits: how much the flow tree may hold.
  ///   - maxStates: how many states to visit at most.
  ///   - itemsPerList: how many items of a list to choose.
  ///   - countingTo: up to which number counts make a difference.
  ///   - patience: how long a piece of work may take.
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

  /// An explorer of a flow that starts no others, and takes no input.
  ///
  /// - Parameter make: makes a coordinator of it.
  /// - Throws: `FlowCatalogueError` if its description is not one of a flow.
  public init<C: Coordinator>(_ make: @escaping @Sendable () -> C) throws(FlowCatalogueError) {
    var catalogue = FlowCatalogue()
    try catalogue.add(make)
    self.init(C.flow.name, in: catalogue)
  }

  /// Walks every way through the flow.
  ///
  /// - Returns: what was found; look at it with ``FlowWalk/expect(screens:leavingToParent:failing:refusingDismiss:completely:)``.
  /// - Throws: `CancellationError` if the test is cancelled.
  public func walk() async throws -> FlowWalk {
    var exploration = Exploration(self)
    return try await exploration.walk()
  }
}
