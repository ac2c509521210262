/// The combined result of all handlers.
struct CompleteTransition: Sendable {
  /// The changes to store and then to publish.
  var publication: Publication
  /// The work to start once the transition is stored.
  let orders: [WorkOrder]
  /// The work to cancel once the transition is stored.
  let cancelledWork: [WorkID]
  /// The secrets to wipe once the transition is stored.
  let wiped: [Secret]
  /// Whether timers were started or stopped.
  let changesTimers: Bool
  /// The coordinators that learn of the end of a child later.
  let postponed: [CoordinatorPath: Hold.Obstacle]

  /// Seals a transition in place, without copying it.
  init(sealing transition: inout Transition, _ occasion: Occasion) {
    publication = transition.seal(occasion)
    orders = transition.orders
    cancelledWork = transition.cancelledWork
    wiped = transition.wiped
    changesTimers = transition.changesTimers
    postponed = transition.postponed
  }
}
