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
  /// - Parameter hasEnded: whether to print the flow trees that have ended, too.
  /// - Throws: ``ToolFailure``.
  public func run(ended hasEnded: Bool = false) async throws(ToolFailure) {
    let ended =
      hasEnded
      ? try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listEnded() } : []
    let nodes = try await TreeNodes(session).all()
    let nothing = ["No flow is running; start one with 'coordinatorctl start FLOW'."]
    let style = session.output.style
    let lines = ended.map { $0.line(style: style) } + nodes.flatMap { $0.lines(style: style) }
    session.output.say(lines.isEmpty ? nothing : lines, json: .array(ended.map(\.json) + nodes.map(\.json)))
  }
}

extension EndedFlow {
  fileprivate func line(style: TextStyle) -> String {
    style.strong(TreeSelector.name(coordinator).printable) + "  " + style.quiet("ended: \(outcome.printable)")
  }

  fileprivate var json: JSONValue {
    var object: [String: JSONValue] = [
      "coordinator": .string(coordinator.string), "flow": .string(flow), "outcome": .string(outcome),
    ]
    object["token"] = token.map(JSONValue.string)
    return .object(object)
  }
}
