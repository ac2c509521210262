import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl open`: starts the flow that a link names, after a user has confirmed it.
public struct StartLink: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Checks a link. Starts nothing.
  ///
  /// - Parameter text: link to open.
  /// - Returns: the offer of the link.
  /// - Throws: ``ToolFailure`` if the text is not a link, or if the flow does not accept the input.
  public func offer(_ text: String) async throws(ToolFailure) -> LinkOffer { try await session.offer(ofLink: text) }

  /// Starts the flow that a link offers.
  ///
  /// - Parameters:
  ///   - offer: offer of the link.
  ///   - confirm: closure that shows the offer and asks for confirmation; nil if no user can be asked.
  /// - Returns: the path of the root coordinator.
  /// - Throws: ``ToolFailure`` if the user declines, or if no user can be asked. Nothing is started then.
  public func run(_ offer: LinkOffer, confirm: ((String) -> Bool)?) async throws(ToolFailure) -> ObjectPath {
    guard let confirm else {
      throw ToolFailure(
        [
          "a link is started only when a person says so, and there is no terminal to ask at, so nothing was started",
          "  add --yes if you trust the link, or show it with --in browser, where the page asks",
        ], exit: .error, name: "NotConfirmed")
    }
    guard confirm(offer.lines.joined(separator: "\n") + "\nStart it? [y/N] ") else {
      throw ToolFailure(["nothing was started"], exit: .error, name: "NotConfirmed")
    }
    return try await session.doing { () async throws(ClientError) in
      try await session.daemon.manager.startFlow(offer.flow.name, input: offer.input, options: Options()).coordinator
    }
  }

  /// Prints the name of the flow tree that was started.
  public func say(_ tree: ObjectPath) {
    session.output.say([TreeSelector.name(tree)], json: ["coordinator": .string(tree.string)])
  }
}
