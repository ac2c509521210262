import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl open`: starts the flow that a link names, once a person has said so.
public struct StartLink: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Checks a link. Nothing is started.
  ///
  /// - Parameter text: link to open.
  /// - Returns: what it would start.
  /// - Throws: ``ToolFailure`` if the text is not a link, or if the flow does not accept the input.
  public func offer(_ text: String) async throws(ToolFailure) -> LinkOffer { try await session.offer(ofLink: text) }

  /// Starts what a link offers.
  ///
  /// - Parameters:
  ///   - offer: what the link would start.
  ///   - confirm: closure that shows the offer, and asks; nil if nobody can be asked.
  /// - Returns: the path of the root coordinator.
  /// - Throws: ``ToolFailure`` if the person does not want that, or if nobody can be asked. Nothing is started then.
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
