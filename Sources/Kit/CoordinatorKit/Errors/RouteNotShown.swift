/// A coordinator wanted to go back to a route that it does not show.
public struct RouteNotShown: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the route, without its associated values: they may be what a user typed.
  public let route: String
  /// The coordinator that does not show the route.
  public let coordinator: CoordinatorPath

  /// Creates the error for a route and its coordinator.
  init(_ route: some RouteValue, coordinator: CoordinatorPath) {
    self.route = String(Substring("\(route)".utf8.prefix { $0 != UInt8(ascii: "(") }))
    self.coordinator = coordinator
  }

  /// One line for people.
  public var description: String { "\(coordinator) does not show the route \(route), so nothing above it can be dismissed" }
}
