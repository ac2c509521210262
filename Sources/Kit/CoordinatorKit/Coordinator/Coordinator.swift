/// One running instance of a flow: an actor that decides which screen comes next.
///
/// A conforming actor keeps its `State` in ``state``, shows its `Route`s through ``router``, and keeps nothing else that changes:
/// state that the runtime does not know is not rolled back, and does not survive a restart.
///
/// Handlers (``start()``, ``receive(_:on:)`` and the others below) are synchronous, and the flow tree calls them one at a time. All that
/// one event changes, in however many coordinators, is one transition: it is stored and published whole or not at all. A handler
/// that throws a ``Refusal`` drops the transition, and its caller gets the refusal; any other error fails the coordinator.
///
/// What takes time is *work*: see ``perform(_:in:)``.
public protocol Coordinator: Actor {
  /// Names one step inside the coordinator; usually an enum. One that has only children needs none.
  associatedtype Route: RouteValue = Never
  /// What the coordinator knows. A screen is computed from it.
  associatedtype State: FlowState = NoState
  /// What the flow is started with.
  associatedtype Input: Codable & Sendable = NoInput
  /// What takes time, as a value that can be stored and done again.
  associatedtype Work: Codable & Sendable = Never
  /// What work comes back with.
  associatedtype Product: Sendable = Never

  /// What the flow is called, and what it is started with.
  static var flow: FlowDescription { get }

  /// Where the runtime meets the coordinator. Declare it as `let context = Context()`.
  var context: CoordinatorContext<Self> { get }

  /// Whether `Dismiss` may end it; asked when somebody tries. It always ends with its parent.
  var isDismissable: Bool { get }

  /// Begins the flow: presents the first screens, starts children or work.
  ///
  /// - Throws: a ``Refusal`` (of ``input``, say), which is what the caller gets; any other error fails the coordinator. The flow is not
  ///   started either way, and nothing of it is left.
  func start() throws

  /// Computes the screen for a route from ``state``, ``input`` and what the coordinator was handed. Called after every handler of this
  /// coordinator, for each of its routes that is shown or covered; must not change anything.
  ///
  /// - Parameter route: what to show.
  /// - Returns: the screen.
  /// - Throws: what a handler may throw, and with the same consequences; most have nothing to throw.
  func screen(for route: Route) throws -> Screen

  /// Whether the user may leave the screen of a route by going back. Screens of a window router can never be left so.
  ///
  /// Asked when the screen is computed, so that renderers can show it. Whoever wants to decide later refuses in ``wentBack(from:)``.
  ///
  /// - Parameter route: what is shown.
  /// - Returns: whether Back is offered.
  func allowsBack(from route: Route) -> Bool

  /// Takes an event from one of its own screens.
  ///
  /// - Parameters:
  ///   - event: what the user did; its payload fits the screen's form.
  ///   - route: what the screen was made from. It is on top.
  /// - Throws: ``Event/notTaken`` to leave the event to the parent, or a ``Refusal``; any other error fails the coordinator.
  func receive(_ event: Event, on route: Route) throws

  /// Takes an event that a child left to its parent.
  ///
  /// - Parameters:
  ///   - event: what the user did on the child's screen, or on one of a child of the child.
  ///   - child: this coordinator's own child, through which the event came.
  /// - Throws: ``Event/notTaken`` to leave the event to the next parent, or a ``Refusal``; any other error fails the coordinator.
  func receive(_ event: Event, from child: Child) throws

  /// Takes an event that comes from no screen, but from a script or a button.
  ///
  /// - Parameter event: what is to be done. Nothing has checked its payload.
  /// - Throws: ``Event/notTaken`` to leave the event to the parent, or a ``Refusal``; any other error fails the coordinator.
  func receive(_ event: Event) throws

  /// Is told that the user went back from one of its screens, which is already taken down.
  ///
  /// After its first screen the coordinator ends as cancelled.
  ///
  /// - Parameter route: what the screen was made from.
  /// - Throws: a ``Refusal`` to keep the user there; any other error fails the coordinator.
  func wentBack(from route: Route) throws

  /// Is told how a child ended; the child is already gone. Not called for the children that end because this coordinator does.
  ///
  /// - Parameters:
  ///   - child: which one. Anybody may start a child here, so ask ``Child/isInstance(of:)``.
  ///   - outcome: how it ended.
  /// - Throws: a ``Refusal``, which undoes the end if somebody waits for an answer; any other error fails the coordinator.
  func childEnded(_ child: Child, outcome: Outcome) throws

  /// Does a piece of work. Runs beside the flow, on a thread of its own, and is cancelled with its coordinator.
  ///
  /// Nonisolated, so that it cannot touch the state: what it finds out is posted as an event, to ``workEnded(_:with:)``. Work
  /// must bear being done twice: what was running when the daemon was killed is started again. It may block; a daemon runs sixteen
  /// pieces of work of one flow tree at the same time, besides those that wait without blocking.
  ///
  /// - Parameters:
  ///   - work: what is to be done.
  ///   - context: the secrets, and where to report progress.
  /// - Returns: what it found out.
  /// - Throws: anything; ``workEnded(_:with:)`` gets it as ``WorkResult/failed(_:)``.
  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Product

  /// Is told what came of a piece of work. Not called for work that was cancelled.
  ///
  /// - Parameters:
  ///   - work: what was to be done.
  ///   - result: what ``perform(_:in:)`` returned or threw.
  /// - Throws: any error fails the coordinator, a ``Refusal`` too: nobody is there to be refused.
  func workEnded(_ work: Work, with result: WorkResult<Product>) throws

  /// Is told, after a restart, that a piece of work which took a secret was cut short: the secret is gone, so it cannot be done again.
  ///
  /// - Parameter work: what was to be done.
  /// - Throws: any error fails the coordinator.
  func workInterrupted(_ work: Work) throws

  /// Brings what an older version of the flow has stored into the form of this one.
  ///
  /// Asked after a restart, for each coordinator that was stored by an older ``FlowDescription/version``.
  ///
  /// - Parameters:
  ///   - stored: what was stored, as JSON; change it in its place.
  ///   - version: the version that stored it.
  /// - Throws: whatever makes it impossible; the tree is held then, as it is stored, and says why: nothing is guessed.
  static func migrate(_ stored: inout StoredFlow, from version: Int) throws
}

/// What a coordinator knows: a value that can be stored, and that has a beginning.
public protocol FlowState: Codable, Sendable {
  /// What the coordinator knows before it has started.
  init()
}

/// The state of a coordinator that needs none.
public struct NoState: FlowState {
  /// Nothing.
  public init() {}
}

/// The input of a flow that takes none.
public struct NoInput: Codable, Sendable {
  /// Nothing.
  public init() {}
}

extension Coordinator {
  /// What `let context = Context()` makes.
  public typealias Context = CoordinatorContext<Self>

  /// Can be dismissed.
  public var isDismissable: Bool { true }

  /// Back leaves every screen.
  public func allowsBack(from route: Route) -> Bool { true }

  /// Leaves every event to the parent.
  ///
  /// - Parameters:
  ///   - event: what the user did.
  ///   - route: what the screen was made from.
  /// - Throws: ``Event/notTaken``.
  public func receive(_ event: Event, on route: Route) throws { throw event.notTaken }

  /// Leaves every event to the next parent.
  ///
  /// - Parameters:
  ///   - event: what the user did.
  ///   - child: through which it came.
  /// - Throws: ``Event/notTaken``.
  public func receive(_ event: Event, from child: Child) throws { throw event.notTaken }

  /// Leaves every event to the parent.
  ///
  /// - Parameter event: what is to be done.
  /// - Throws: ``Event/notTaken``.
  public func receive(_ event: Event) throws { throw event.notTaken }

  /// Does nothing.
  public func wentBack(from route: Route) throws {}

  /// Does nothing.
  public func childEnded(_ child: Child, outcome: Outcome) throws {}

  /// Fails the coordinator: whoever starts work that takes a secret says here how to go on without it.
  ///
  /// - Parameter work: what was to be done.
  /// - Throws: a ``Failure``, code `interrupted`.
  public func workInterrupted(_ work: Work) throws {
    throw Failure(code: "interrupted", message: "a restart cut the work short")
  }
}

extension Coordinator {
  /// Knows of no older version.
  public static func migrate(_ stored: inout StoredFlow, from version: Int) throws {
    throw RestoringError.noMigration(flow.name, stored: version, known: flow.version)
  }
}

extension Coordinator where Route == Never {
  /// There is no screen.
  public func screen(for route: Never) -> Screen {}
}

extension Coordinator where Work == Never {
  /// There is no work.
  public nonisolated func perform(_ work: Never, in context: WorkContext) async throws -> Product {}

  /// There is no work.
  public func workEnded(_ work: Never, with result: WorkResult<Product>) throws {}
}
