/// The connection between a coordinator and the runtime: what a handler reads and changes while it runs.
///
/// Confined to its coordinator: it is not `Sendable`, and the coordinator is an actor. Between handlers it has no
/// transition to change, so a change that is made outside a handler has no effect, except that a debug build stops with
/// an assertion failure.
public final class CoordinatorContext<C: Coordinator> {
  /// The data of one handler call. A class, so that the context of an idle coordinator does not reserve space for it.
  final class Scope {
    var transition: Transition
    let path: CoordinatorPath
    /// The screen whose event is being handled.
    let source: ScreenID?
    /// The secrets that another coordinator passed with what is being handled.
    let secrets: [String: Secret]

    init(transition: Transition, path: CoordinatorPath, source: ScreenID?, secrets: [String: Secret]) {
      self.transition = transition
      self.path = path
      self.source = source
      self.secrets = secrets
    }
  }

  var scope: Scope?
  var state = C.State()
  var input: C.Input?
  /// The last value that work reported, and which work.
  var reported: (work: WorkID, value: C.Live)?

  /// Creates a context, which the runtime fills in when it starts the coordinator.
  public init() {}

  /// Runs `change` on the transition of the running handler; returns nil if no handler is running.
  func change<Result>(_ change: (inout Transition, CoordinatorPath) throws -> Result) rethrows -> Result? {
    guard let scope else {
      assertionFailure("\(C.self): the router, children and work can be used only in a handler")
      return nil
    }
    return try change(&scope.transition, scope.path)
  }
}
