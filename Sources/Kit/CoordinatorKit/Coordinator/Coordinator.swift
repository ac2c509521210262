/// One running instance of a flow: an actor that decides which screen comes next.
///
/// A conforming actor keeps its `State` in ``state`` and shows its `Route`s through ``router``. Do not keep any other
/// mutable state: the runtime can neither roll it back nor restore it after a restart.
///
/// ```swift
/// actor Greeting: Coordinator {
///   static let flow = FlowDescription("greeting", title: "Greeting", summary: "Says hello.")
///   enum Route: Codable, Hashable { case hello }
///   let context = Context()
///
///   func start() { router.present(.hello) }
///   func screen(for route: Route) -> Screen { .message("hello", title: "Hello", actions: [.primary("okay", "Okay")]) }
///   func receive(_ event: Event, on route: Route) { finish() }
/// }
/// ```
///
/// Handlers (``start()``, ``receive(_:on:)`` and the others below) are synchronous, and the flow tree calls them one at
/// a time. Everything that one event changes, in any number of coordinators, is one transition, which is stored and
/// published as a whole or not at all. If a handler throws a ``Refusal``, the transition is dropped and the caller
/// receives the refusal. Any other error fails the coordinator.
///
/// Handlers must not wait. Long-running operations are *work*; see ``perform(_:in:)``.
public protocol Coordinator: Actor {
  /// The steps inside the coordinator, usually an enum. Each route that is presented becomes a screen.
  ///
  /// Omit it in a coordinator that only has children.
  ///
  /// ```swift
  /// enum Route: Codable, Hashable {
  ///   case size, done
  /// }
  /// ```
  associatedtype Route: RouteValue = Never
  /// The values that the coordinator remembers. Screens are computed from them.
  ///
  /// ```swift
  /// struct State: FlowState {
  ///   var size: String?
  /// }
  /// ```
  associatedtype State: FlowState = NoState
  /// The input that the flow is started with. Its keys are the fields of ``FlowDescription/input``.
  ///
  /// ```swift
  /// struct Input: Codable {
  ///   var kanji: String
  /// }
  /// ```
  associatedtype Input: Codable & Sendable = NoInput
  /// The long-running operations of the coordinator, as values that can be stored and performed again.
  ///
  /// ```swift
  /// enum Work: Codable {
  ///   case check(username: String)
  /// }
  /// ```
  associatedtype Work: Codable & Sendable = Never
  /// The value that ``perform(_:in:)`` returns when work succeeds. Usually inferred from that method.
  ///
  /// ```swift
  /// enum Product {
  ///   case accepted, wrong
  /// }
  /// ```
  associatedtype Product: Sendable = Never

  /// The value that a finished coordinator hands to its parent, and to callers that ask for the outcome. It must encode
  /// as an object, so it is usually a struct.
  ///
  /// ```swift
  /// struct Result: Codable {
  ///   var size: Size
  /// }
  /// ```
  associatedtype Result: Codable & Sendable = NoResult
  /// The values that a live coordinator emits to its parent; see ``emit(_:secrets:)``.
  ///
  /// ```swift
  /// enum Output: Codable {
  ///   case chosen(network: String)
  /// }
  /// ```
  associatedtype Output: Codable & Sendable = Never
  /// The values that the coordinator's parent sends to it; see ``parentSent(_:)``.
  ///
  /// ```swift
  /// enum Message: Codable {
  ///   case show(page: Int)
  /// }
  /// ```
  associatedtype Message: Codable & Sendable = Never

  /// The timers of the coordinator, as values that can be stored; see ``startTimer(_:after:)``.
  ///
  /// ```swift
  /// enum Timer: Codable {
  ///   case offerEnds
  /// }
  /// ```
  associatedtype Timer: Codable & Hashable & Sendable = Never

  /// The values that running work shows on the coordinator's screens; see ``live``.
  ///
  /// ```swift
  /// typealias Live = [Network]
  /// ```
  associatedtype Live: Sendable = Never

  /// The name, title, and input of the flow.
  static var flow: FlowDescription { get }

  /// The connection between the coordinator and the runtime. Declare it as `let context = Context()`.
  var context: CoordinatorContext<Self> { get }

  /// Whether `Dismiss` may end the coordinator. Read on each attempt; has no effect when the parent ends, which always
  /// ends its children. The default is true.
  var canBeCancelled: Bool { get }

  /// Called when the flow starts. Your implementation should present the first screen, or start children or work.
  ///
  /// If it throws, the flow is not started and leaves nothing behind.
  ///
  /// - Throws: a ``Refusal`` (for example of ``input``), which the caller receives; any other error fails the
  ///   coordinator.
  func start() throws

  /// Called after every handler of this coordinator, for each of its routes that is shown or covered. Your implementation
  /// should compute the screen from ``state``, ``input`` and the arguments of the initializer, and must not change anything.
  ///
  /// - Parameter route: the route to show.
  /// - Returns: the screen of the route.
  /// - Throws: the same errors as a handler, with the same consequences. Most implementations do not throw.
  func screen(for route: Route) throws -> Screen

  /// Called when the screen of a route is computed, so that renderers know whether to offer Back. Your implementation
  /// should return whether the user may leave the screen by going back.
  ///
  /// To decide later, when the user goes back, throw a ``Refusal`` in ``wentBack(from:)``. Screens of a window router
  /// never allow Back. The default is true.
  ///
  /// - Parameter route: the route that is shown.
  /// - Returns: whether Back is offered.
  func allowsBack(from route: Route) -> Bool

  /// Called when the user acts on one of the coordinator's own screens. Your implementation should handle the event, or
  /// throw ``Event/notTaken`` to leave it to the parent, which the default does.
  ///
  /// - Parameters:
  ///   - event: the user's action; its payload conforms to the screen's form.
  ///   - route: the route of the screen, which is on top.
  /// - Throws: ``Event/notTaken``, or a ``Refusal``; any other error fails the coordinator.
  func receive(_ event: Event, on route: Route) throws

  /// Called when a child did not take an event. Your implementation should handle the event, or throw
  /// ``Event/notTaken`` to leave it to the next parent, which the default does.
  ///
  /// - Parameters:
  ///   - event: the user's action, on a screen of the child or of one of its descendants.
  ///   - child: the child of this coordinator through which the event came.
  /// - Throws: ``Event/notTaken``, or a ``Refusal``; any other error fails the coordinator.
  func receive(_ event: Event, from child: Child) throws

  /// Called when an event arrives that does not come from a screen, for example from a script or a hardware button. Your
  /// implementation should handle the event, or throw ``Event/notTaken`` to leave it to the parent, which the default does.
  ///
  /// - Parameter event: the event. Its payload has not been checked.
  /// - Throws: ``Event/notTaken``, or a ``Refusal``; any other error fails the coordinator.
  func receive(_ event: Event) throws

  /// Called after the user went back from one of the coordinator's screens, which has already been dismissed. Your
  /// implementation should reset the state that depended on that screen.
  ///
  /// If it was the coordinator's first screen, the coordinator then ends as cancelled. The default does nothing.
  ///
  /// - Parameter route: the route of the dismissed screen.
  /// - Throws: a ``Refusal`` to keep the user on the screen; any other error fails the coordinator.
  func wentBack(from route: Route) throws

  /// Called after a child has ended. The child has already been removed from ``children``; your implementation should
  /// continue the flow according to the outcome.
  ///
  /// Not called for children that end because this coordinator ends. The default does nothing.
  ///
  /// - Parameters:
  ///   - child: the child that ended. Any client may start a child here, so read the result with
  ///     ``Child/end(of:_:)``, or check ``Child/isInstance(of:)``.
  ///   - outcome: how the child ended.
  /// - Throws: a ``Refusal``, which undoes the end if a caller waits for an answer; any other error fails the
  ///   coordinator.
  func childEnded(_ child: Child, outcome: Outcome) throws

  /// Called after a live child has emitted a value with ``emit(_:secrets:)``, in the same transition. Your
  /// implementation should continue the flow. The child stays alive, so that Back leads to its screens, unless it has
  /// also ended in the same handler; ``childEnded(_:outcome:)`` then follows.
  ///
  /// The default does nothing.
  ///
  /// - Parameter output: the value, and the child that emitted it. ``ChildOutput/value(from:)`` distinguishes children by
  ///   their flows; any client may start a child of the same flow here.
  /// - Throws: a ``Refusal``, which drops everything that led to it. If no caller waits for an answer, for example
  ///   because work has ended, a refusal fails this coordinator, as any other error does.
  func childEmitted(_ output: ChildOutput) throws

  /// Called after the parent has sent a message with ``send(_:to:of:secrets:)``, in the same transition. Your
  /// implementation should update the state or the screens.
  ///
  /// - Parameter message: the message.
  /// - Throws: a ``Refusal``, which drops everything that led to it. If no caller waits for an answer, for example
  ///   because work has ended, a refusal fails this coordinator, as any other error does.
  func parentSent(_ message: Message) throws

  /// Called outside the actor to perform a piece of work that ``startWork(_:key:secrets:)`` started. Your implementation
  /// should do the work and return its result.
  ///
  /// The method is nonisolated, so it cannot access the state; its result is delivered to ``workEnded(_:with:)``. The work runs
  /// on a separate thread, concurrently with the flow, and is cancelled with its coordinator. It must be safe to perform twice:
  /// work that was running when the daemon was killed is started again. It may block: a daemon runs sixteen pieces of work of
  /// one flow tree at a time, not counting those that are suspended without blocking a thread.
  ///
  /// - Parameters:
  ///   - work: the description of the work.
  ///   - context: provides the secrets and reports progress.
  /// - Returns: the result of the work.
  /// - Throws: any error; ``workEnded(_:with:)`` receives it as ``WorkResult/failed(_:)``.
  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Product

  /// Called when a piece of work has ended. Your implementation should update the state or the screens according to the
  /// result.
  ///
  /// Not called for work that was cancelled.
  ///
  /// - Parameters:
  ///   - work: the description of the work.
  ///   - result: the value that ``perform(_:in:)`` returned, or the error that it threw.
  /// - Throws: any error, including a ``Refusal``, fails the coordinator, because there is no caller to refuse.
  func workEnded(_ work: Work, with result: WorkResult<Product>) throws

  /// Called after a restart for a piece of work that was interrupted and cannot be performed again, because its secrets are
  /// gone. Your implementation should let the user continue without the result.
  ///
  /// The default fails the coordinator with the code `interrupted`.
  ///
  /// - Parameter work: the description of the work.
  /// - Throws: any error fails the coordinator.
  func workInterrupted(_ work: Work) throws

  /// Called after a restart if the coordinator kept secrets, which are gone. Your implementation should lead the user to
  /// the step where they are typed.
  ///
  /// Work that was started with secrets is reported by ``workInterrupted(_:)`` instead. The default does nothing.
  ///
  /// - Parameter names: the names of the secrets; see ``keep(_:as:)``.
  /// - Throws: any error fails the coordinator.
  func secretsLost(_ names: Set<String>) throws

  /// Called when a timer fires, in a separate transition. Your implementation should continue the flow.
  ///
  /// - Parameter timer: the description of the timer; see ``startTimer(_:after:)``.
  /// - Throws: any error, including a ``Refusal``, fails the coordinator, because there is no caller to refuse.
  func timerFired(_ timer: Timer) throws

  /// Called after a restart for each coordinator that an older ``FlowDescription/version`` of the flow stored. Your
  /// implementation should convert the stored values to the current version.
  ///
  /// The default throws.
  ///
  /// - Parameters:
  ///   - stored: the stored values as JSON, to be changed in place.
  ///   - version: the version of the flow that stored them.
  /// - Throws: any error, if the values cannot be converted. The tree is then held unchanged, with the error as the
  ///   reason.
  static func migrate(_ stored: inout StoredFlow, from version: Int) throws
}

/// The state of a coordinator: a value that can be stored and that has an initial value.
///
/// ```swift
/// struct State: FlowState {
///   var username = ""
///   var attempts = 0
/// }
/// ```
public protocol FlowState: Codable, Sendable {
  /// Creates the state that a coordinator has before it starts.
  init()
}

/// The state of a coordinator that does not need any.
public struct NoState: FlowState {
  /// Creates an empty state.
  public init() {}
}

/// The input of a flow that does not take any.
public struct NoInput: Codable, Sendable {
  /// Creates an empty input.
  public init() {}
}

/// The result of a flow that does not have any.
public struct NoResult: Codable, Sendable {
  /// Creates an empty result.
  public init() {}
}
