import CoordinatorClient
import CoordinatorKit
import Platform
import RendererKit

/// The message for the caller of `send` when the daemon refuses. A value without I/O.
struct SendRefusal: Sendable {
  private let arguments: SendArguments
  private let tree: String
  private let window: MirroredWindow

  /// Describes a call.
  ///
  /// - Parameters:
  ///   - arguments: arguments of the command.
  ///   - tree: name of the tree that the event was sent to.
  ///   - window: window that the tree showed.
  init(_ arguments: SendArguments, tree: String, _ window: MirroredWindow) {
    self.arguments = arguments
    self.tree = tree
    self.window = window
  }

  /// Returns the failure for an error of the call, with advice.
  func failure(_ error: ClientError) -> ToolFailure {
    guard let screen = window.top?.screen else { return ToolFailure(error) }
    let event = arguments.event
    switch error {
    case .refused(.unknownEvent):
      if arguments.tree == nil, event == tree { return Self.missingEvent(of: tree, offered: Self.events(on: screen)) }
      return ToolFailure(error, advice: Self.suggestion(for: event, on: screen))
    case .refused(.invalidPayload) where event == ReviewRow.change:
      return ToolFailure(error, advice: ReviewChanges(on: screen, among: window.screens).advice)
    case .refused(.invalidPayload) where event == Event.select && arguments.ids.isEmpty && arguments.assignments.isEmpty:
      return ToolFailure(error, advice: ["  choose an item with: coordinatorctl send \(tree.printable) select ITEM"])
    case .refused(.denied):
      var failure = ToolFailure(error)
      if let reason = screen.actions.first(where: { $0.id == event })?.disabled {
        failure.lines = ["'\(event)' cannot be chosen now: \(reason)".printable]
      }
      return failure
    default: return ToolFailure(error)
    }
  }

  /// Describes a call that names a tree, but no event.
  static func missingEvent(of tree: String, offered: [String]) -> ToolFailure {
    ToolFailure(
      ["'\(tree.printable)' is a flow tree, and the event is missing: coordinatorctl send \(tree.printable) EVENT"]
        + (offered.isEmpty ? [] : ["  events: \(offered.joined(separator: ", ").printable)"]),
      exit: .usage, name: "MissingEvent")
  }

  /// Returns the events that a screen accepts, as they are written on a command line.
  static func events(on screen: Screen) -> [String] {
    let select = screen.choosing?.count == nil ? "select ITEM" : "select ITEM ITEM"
    return screen.actions.map(\.id) + (screen.items == nil ? [] : [select])
      + (screen.review.isEmpty ? [] : ["\(ReviewRow.change) SCREEN"])
  }

  /// Returns the event that was probably meant. The daemon's message lists the events that the screen offers.
  private static func suggestion(for event: String, on screen: Screen) -> [String] {
    let events = events(on: screen)
    guard !events.contains(event), let best = Suggestion.best(for: event, among: events) else { return [] }
    return ["  did you mean '\(best.printable)'?"]
  }
}
