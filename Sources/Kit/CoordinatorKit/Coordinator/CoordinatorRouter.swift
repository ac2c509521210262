/// Puts a coordinator's screens up and takes them down, while one of its handlers runs.
///
/// Where a screen goes is decided by the coordinator's ``Router``, which whoever started it has chosen.
public struct CoordinatorRouter<C: Coordinator> {
  let context: CoordinatorContext<C>

  /// The coordinator's own routes that are shown or covered, bottom first.
  public var routes: [C.Route] {
    guard let scope = context.scope else { return [] }
    return scope.transition.window.screens.compactMap { $0.coordinator == scope.path ? $0.route as? C.Route : nil }
  }

  /// Puts up the screen of a route.
  ///
  /// - Parameters:
  ///   - route: what to show.
  ///   - kind: another router than the coordinator's own: `.modal` opens a new layer for this screen.
  ///   - animated: whether renderers are to animate it; they may not care.
  public func present(_ route: C.Route, as kind: RouterKind? = nil, animated: Bool = true) {
    context.change { $0.present(route, of: $1, as: kind, animated: animated) }
  }

  /// Puts up the screen of a route in the place of the coordinator's topmost one, or as ``present(_:as:animated:)`` does if it has none.
  ///
  /// - Parameters:
  ///   - route: what to show.
  ///   - animated: whether renderers are to animate it; they may not care.
  public func replace(with route: C.Route, animated: Bool = true) {
    context.change { $0.replaceTop(with: route, of: $1, animated: animated) }
  }

  /// Takes down the coordinator's topmost screen, and all that stands on it.
  ///
  /// - Parameter animated: whether renderers are to animate it; they may not care.
  public func dismiss(animated: Bool = true) {
    context.change { transition, path in
      transition.dismiss(of: path, animated: animated, keeping: transition.window.ids(of: path).count - 1)
    }
  }

  /// Takes down what stands on the topmost screen of a route.
  ///
  /// - Parameters:
  ///   - route: what is to be on top.
  ///   - animated: whether renderers are to animate it; they may not care.
  /// - Throws: ``RouteNotShown`` if the coordinator does not show the route, which fails the coordinator unless it is caught.
  public func dismiss(to route: C.Route, animated: Bool = true) throws {
    try context.change { transition, path in
      let target = transition.window.screens.last { $0.coordinator == path && $0.route as? C.Route == route }
      guard let target else { throw RouteNotShown(route: "\(route)", coordinator: path) }
      transition.dismiss(above: target.id, by: path, animated: animated)
    }
  }

  /// Takes down all screens of the coordinator, and all that stands on them. This does not end it; but a root with nothing left fails.
  ///
  /// - Parameter animated: whether renderers are to animate it; they may not care.
  public func dismissAll(animated: Bool = true) {
    context.change { $0.dismiss(of: $1, animated: animated, keeping: 0) }
  }
}
