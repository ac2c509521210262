/// An event that a screen does not offer, or that no coordinator handles.
public struct UnknownEvent: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the event.
  public let event: String
  /// The coordinator that the event was delegated to.
  public let coordinator: CoordinatorPath
  /// The name of the screen that it came from; nil if it came from none.
  public let screen: String?
  /// The events that the screen offers; nil if it does offer this one, and no coordinator handles it.
  public let offered: [String]?

  /// How many events a description names at most.
  private static let mostNamed = 20

  /// Describes an event that cannot be handled.
  ///
  /// - Parameters:
  ///   - event: the name of the event.
  ///   - coordinator: the coordinator that it was delegated to.
  ///   - screen: the name of the screen that it came from; nil if it came from none.
  ///   - offered: the events that the screen offers; nil if it does offer this one.
  public init(_ event: String, coordinator: CoordinatorPath, screen: String? = nil, offered: [String]? = nil) {
    self.event = event
    self.coordinator = coordinator
    self.screen = screen
    self.offered = offered
  }

  /// One line for people: the event, the screen and what it offers, and the coordinator.
  public var description: String {
    switch (screen, offered) {
    case (let screen?, let offered?):
      "the screen '\(screen)' of \(coordinator) does not offer the event '\(event)'; it offers \(Self.list(offered))"
    case (let screen?, nil):
      "the screen '\(screen)' of \(coordinator) offers the event '\(event)', but no coordinator handles it"
    case (nil, _): "neither \(coordinator) nor a coordinator above it handles the event '\(event)'"
    }
  }

  private static func list(_ names: [String]) -> String {
    guard !names.isEmpty else { return "none" }
    let named = names.prefix(mostNamed).map { "'\($0)'" }.joined(separator: ", ")
    return names.count > mostNamed ? "\(named) and \(names.count - mostNamed) more" : named
  }
}
