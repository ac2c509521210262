/// What a flow tree requires of a coordinator, independent of its type.
protocol RunningCoordinator: Sendable {
  /// Asks whoever decides for the coordinator, if that is another process. Called before ``handle(_:of:in:)``, and takes
  /// at most the given time.
  ///
  /// - Returns: what has come of asking about the event, after what has come of it before.
  func prepare(
    _ call: HandlerCall, of path: CoordinatorPath, in transition: Transition, after history: AskingHistory,
    within time: Duration
  ) async -> AskingHistory

  /// Tells the coordinator what it is, after a restart and before its work goes on.
  func isRestored(as record: CoordinatorRecord)

  /// Whether ``prepare(_:of:in:after:within:)`` has anything to do.
  var isProvided: Bool { get }

  /// Calls a handler on the actor, and computes the coordinator's screens unless the handler throws.
  func handle(_ call: HandlerCall, of path: CoordinatorPath, in transition: Transition) async -> HandlerResult

  /// Computes the coordinator's screens from a value that its work has reported, and keeps the value for later screens.
  func show(_ report: LiveReports.Report, of path: CoordinatorPath, in transition: Transition) async -> HandlerResult

  /// Performs a piece of work, and keeps its result until ``HandlerCall/workEnded(_:)`` is handled.
  func perform(_ record: WorkRecord, in context: WorkContext) async

  /// Returns why a piece of work has failed whose end is handled; nil if it has not.
  func failure(of work: WorkID) -> Failure?

  /// Discards the result of a piece of work, because it was handled, or the work was cancelled after it was done.
  func discardProduct(of id: WorkID)

  /// Returns whether `Dismiss` may end the coordinator.
  func canBeCancelled(at path: CoordinatorPath, in transition: Transition) async -> Bool
}

extension RunningCoordinator {
  func prepare(
    _ call: HandlerCall, of path: CoordinatorPath, in transition: Transition, after history: AskingHistory,
    within time: Duration
  ) async -> AskingHistory { history }
  func isRestored(as record: CoordinatorRecord) {}
  var isProvided: Bool { false }
}

/// The handler to call.
enum HandlerCall: Sendable {
  case start
  /// No handler: only the screens are computed.
  case restored
  case receive(Event, route: any RouteValue)
  case receiveFromChild(Event, Child)
  case receiveWithoutScreen(Event)
  case wentBack(route: any RouteValue)
  case childEnded(Child, Outcome, [String: Secret])
  case childEmitted(ChildOutput, [String: Secret])
  case parentSent(any Codable & Sendable, [String: Secret])
  case workEnded(WorkRecord)
  case workInterrupted(WorkRecord)
  case secretsLost(Set<String>)
  case timerFired(TimerRecord)
  /// The provider of the flow takes over what an older version of it has stored.
  case migrated(from: UInt32)
  /// Somebody looks at the coordinator's screen, or nobody does any more. Only another process is told.
  case looking(Bool)

  /// The screen that the event came from.
  var source: ScreenID? {
    switch self {
    case .receive(let event, _), .receiveFromChild(let event, _), .receiveWithoutScreen(let event): event.screen
    case .start, .restored, .wentBack, .childEnded, .childEmitted, .parentSent, .workEnded, .workInterrupted, .secretsLost,
      .timerFired, .migrated, .looking:
      nil
    }
  }

  /// Whether only screens are computed.
  var isRedrawing: Bool { if case .restored = self { true } else { false } }

  /// Whether the coordinator goes on as it is if another process cannot be asked.
  var isOptional: Bool {
    switch self {
    case .restored, .looking: true
    default: false
    }
  }

  /// The secrets that another coordinator passed.
  var secrets: [String: Secret] {
    switch self {
    case .childEnded(_, _, let secrets), .childEmitted(_, let secrets), .parentSent(_, let secrets): secrets
    case .start, .restored, .receive, .receiveFromChild, .receiveWithoutScreen, .wentBack, .workEnded, .workInterrupted,
      .secretsLost, .timerFired, .migrated, .looking:
      Dictionary()
    }
  }
}

/// The transition after a handler, or the error that the handler threw; in that case, all its changes are dropped.
typealias HandlerResult = Result<Transition, any Error>

/// Why a handler could not be called. Does not occur if each flow is registered once and decodes its own state.
enum HandlerMismatch: Error {
  case unknownCoordinator(CoordinatorPath)
  case stateOfAnotherType(CoordinatorPath)
  case routeOfAnotherType(CoordinatorPath)
  case noProduct(CoordinatorPath)
  case messageOfAnotherType(CoordinatorPath)
  case timerOfAnotherType(CoordinatorPath)
  case liveValueOfAnotherType(CoordinatorPath)
  case liveValueCannotBeShown(CoordinatorPath)
}
