import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl tree`: draws all flow trees.
public struct DrawTrees: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Prints every active flow tree: its coordinators, each with its screens. The top screen is in brackets.
  ///
  /// - Throws: ``ToolFailure``.
  public func run() async throws(ToolFailure) {
    let nodes = try await TreeNodes(session).all()
    let nothing = ["No flow is running; start one with 'coordinatorctl start FLOW'."]
    session.output.say(
      nodes.isEmpty ? nothing : nodes.flatMap { $0.lines(style: session.output.style) }, json: .array(nodes.map(\.json)))
  }
}
