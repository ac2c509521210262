/// Where answers can be changed that were not given in a form.
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
