import Platform

/// The texts of a flow's routes, which are encoded once. May be used from any thread.
final class RouteTexts<Route: RouteValue>: Sendable {
  /// The most texts that are kept.
  private static var capacity: Int { 64 }

  private let texts = Lock<[Route: String]>([:])

  /// Returns the text of a route.
  ///
  /// - Throws: `EncodingError` if the route cannot be represented in JSON.
  func text(of route: Route) throws -> String {
    if let known = texts.withLock({ $0[route] }) { return known }
    let text = try StoredText.encode(route)
    texts.withLock { texts in
      if texts.count >= Self.capacity { texts = [:] }
      texts[route] = text
    }
    return text
  }
}
