/// Where the runtime meets a coordinator: what a handler reads and changes while it runs.
///
/// Confined to its coordinator: it is not `Sendable`, and the coordinator is an actor. Between handlers there is nothing to change
/// here, so that what an author does outside a handler has no effect, other than an assertion in a debug build.
public final class CoordinatorContext<C: Coordinator> {
  /// What one handler works on. A class, so that the context of a coordinator that waits takes up no room for it.
  final class Scope {
    var transition: Transition
    let path: CoordinatorPath
    /// The screen whose event is being handled.
    let source: ScreenID?

    init(transition: Transition, path: CoordinatorPath, source: ScreenID?) {
      self.transition = transition
      self.path = path
      self.source = source
    }
  }

  var scope: Scope?
  var state = C.State()
  var input: C.Input?

  /// A context that the runtime fills in when it starts the coordinator.
  public init() {}

  /// Runs `change` on the transition of the handler that is running; nil if none is.
  func change<Result>(_ change: (inout Transition, CoordinatorPath) throws -> Result) rethrows -> Result? {
    guard let scope else {
      assertionFailure("\(C.self): the router, children and work can be used only in a handler")
      return nil
    }
    return try change(&scope.transition, scope.path)
  }
}
