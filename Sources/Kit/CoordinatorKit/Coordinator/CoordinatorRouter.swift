/// Presents and dismisses a coordinator's screens while one of its handlers runs.
///
/// The coordinator's ``Router``, which the starter of the coordinator chose, determines where a screen goes.
///
/// ```swift
/// router.present(.settings, as: .modal)
/// ```
public struct CoordinatorRouter<C: Coordinator> {
  let context: CoordinatorContext<C>

  /// The coordinator's own routes that are shown or covered, bottom first.
  public var routes: [C.Route] {
    guard let scope = context.scope else { return [] }
    return scope.transition.window.screens.compactMap { $0.coordinator == scope.path ? $0.route as? C.Route : nil }
  }

  /// Presents the screen of a route.
  ///
  /// - Parameters:
  ///   - route: the route to show.
  ///   - kind: a router to use instead of the coordinator's own; `.modal` opens a new layer for this screen.
  ///   - animated: whether renderers should animate the change; they may ignore it.
  public func present(_ route: C.Route, as kind: RouterKind? = nil, animated: Bool = true) {
    context.change { $0.present(route, of: $1, as: kind, animated: animated) }
    context.record { transition, _ in .present(key: transition.lastKey, as: kind, animated: animated) }
  }

  /// Replaces the coordinator's topmost screen with the screen of a route. If the coordinator has no screen, this is
  /// equivalent to ``present(_:as:animated:)``.
  ///
  /// - Parameters:
  ///   - route: the route to show.
  ///   - animated: whether renderers should animate the change; they may ignore it.
  public func replace(with route: C.Route, animated: Bool = true) {
    context.change { $0.replaceTop(with: route, of: $1, animated: animated) }
    context.record { transition, _ in .replace(with: transition.lastKey, animated: animated) }
  }

  /// Dismisses the coordinator's topmost screen and everything above it.
  ///
  /// - Parameter animated: whether renderers should animate the change; they may ignore it.
  public func dismiss(animated: Bool = true) {
    context.record { transition, path in
      transition.window.ids(of: path).last.map { .dismiss(key: $0.description, animated: animated) }
    }
    context.change { transition, path in
      transition.dismiss(of: path, animated: animated, keeping: transition.window.ids(of: path).count - 1)
    }
  }

  /// Dismisses everything above the topmost screen of a route.
  ///
  /// - Parameters:
  ///   - route: the route whose screen becomes the top one.
  ///   - animated: whether renderers should animate the change; they may ignore it.
  /// - Throws: ``RouteNotShown`` if the coordinator does not show the route. Unless it is caught, it fails the
  ///   coordinator.
  public func dismiss(to route: C.Route, animated: Bool = true) throws {
    try context.change { transition, path in
      let target = transition.window.screens.last { $0.coordinator == path && $0.route as? C.Route == route }
      guard let target else { throw RouteNotShown(route, coordinator: path) }
      transition.recording?.append(.dismissAbove(key: target.id.description, animated: animated))
      transition.dismiss(above: target.id, by: path, animated: animated)
    }
  }

  /// Dismisses all screens of the coordinator and everything above them.
  ///
  /// This does not end the coordinator. However, a root that has neither screens nor children nor work left fails.
  ///
  /// - Parameter animated: whether renderers should animate the change; they may ignore it.
  public func dismissAll(animated: Bool = true) {
    context.record { transition, path in
      transition.window.ids(of: path).first.map { .dismiss(key: $0.description, animated: animated) }
    }
    context.change { $0.dismiss(of: $1, animated: animated, keeping: 0) }
  }
}

extension Transition {
  /// The key of the screen that was presented last, for a process that carries out the recorded operations.
  fileprivate var lastKey: String { ScreenID(after.lastScreen).description }
}

/// The error of a coordinator that goes back to a route that it does not show.
public struct RouteNotShown: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the route, without its associated values, which may be a user's input.
  public let route: String
  /// The coordinator that does not show the route.
  public let coordinator: CoordinatorPath

  /// Creates the error for a route and its coordinator.
  init(_ route: some RouteValue, coordinator: CoordinatorPath) {
    self.route = String(Substring("\(route)".utf8.prefix { $0 != UInt8(ascii: "(") }))
    self.coordinator = coordinator
  }

  /// A message on one line, for users.
  public var description: String { "\(coordinator) does not show the route \(route), so nothing above it can be dismissed" }
}

/// Finds screens on which the user can change answers that were not given in a form.
extension CoordinatorRouter {
  /// Returns the topmost screen of a route, for a row that ``Coordinator/review()`` does not return, because the answer
  /// was chosen from a list or a menu.
  ///
  /// ```swift
  /// ReviewRow("Time zone", state.zone, on: router.screen(of: .timeZone))
  /// ```
  ///
  /// - Parameter route: the route.
  /// - Returns: the screen, or nil if the route is neither shown nor covered.
  public func screen(of route: C.Route) -> ScreenID? {
    guard let scope = context.scope else { return nil }
    return scope.transition.window.screens.last { $0.coordinator == scope.path && $0.route as? C.Route == route }?.id
  }

  /// Returns the first screen of a child, for an answer that was given there.
  ///
  /// - Parameter child: one of ``Coordinator/children``.
  /// - Returns: the screen, or nil if the child has none.
  public func screen(of child: Child) -> ScreenID? {
    context.scope?.transition.window.ids(of: child.path).first
  }
}
