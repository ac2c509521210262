/// A coordinator wanted to go back to a route that it does not show.
public struct RouteNotShown: Error, Sendable, Hashable, CustomStringConvertible {
  /// The route.
  public let route: String
  /// The coordinator.
  public let coordinator: CoordinatorPath

  /// One line for people.
  public var description: String { "\(coordinator) does not show the route \(route), so nothing above it can be dismissed" }
}
