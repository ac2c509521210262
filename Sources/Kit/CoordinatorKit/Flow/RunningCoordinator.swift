/// What a flow tree asks of a coordinator, whatever its type.
protocol RunningCoordinator: Sendable {
  /// Calls a handler on the actor, and computes the coordinator's screens if it did not throw.
  func handle(_ call: HandlerCall, of path: CoordinatorPath, in transition: Transition) async -> HandlerResult

  /// Does a piece of work, and keeps what came of it until ``HandlerCall/workEnded(_:)`` is handled.
  func perform(_ record: WorkRecord, in context: WorkContext) async

  /// Forgets what came of a piece of work, because it was handled, or was cancelled after it was done.
  func discardProduct(of id: WorkID)

  /// Whether `Dismiss` may end the coordinator.
  func isDismissable(at path: CoordinatorPath, in transition: Transition) async -> Bool
}

/// Which handler to call.
enum HandlerCall: Sendable {
  case start
  /// No handler: only the screens are computed.
  case restored
  case receive(Event, route: any RouteValue)
  case receiveFromChild(Event, Child)
  case receiveWithoutScreen(Event)
  case wentBack(route: any RouteValue)
  case childEnded(Child, Outcome)
  case workEnded(WorkRecord)
  case workInterrupted(WorkRecord)

  /// The screen whose event it hands over.
  var source: ScreenID? {
    switch self {
    case .receive(let event, _), .receiveFromChild(let event, _), .receiveWithoutScreen(let event): event.screen
    case .start, .restored, .wentBack, .childEnded, .workEnded, .workInterrupted: nil
    }
  }
}

/// The transition after a handler; or what the handler threw, and then nothing that it changed is left.
typealias HandlerResult = Result<Transition, any Error>

/// Why a handler could not be called. Never seen by a flow that is registered once and decodes its own state.
enum HandlerMismatch: Error {
  case unknownCoordinator(CoordinatorPath)
  case stateOfAnotherType(CoordinatorPath)
  case routeOfAnotherType(CoordinatorPath)
  case noProduct(CoordinatorPath)
}
