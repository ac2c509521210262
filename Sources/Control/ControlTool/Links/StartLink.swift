import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl open`: starts the flow that a link names.
public struct StartLink: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Starts the flow that a link names, and prints the name of its flow tree.
  ///
  /// - Parameter text: link to open.
  /// - Throws: ``ToolFailure`` as ``run(_:)``.
  public func start(_ text: String) async throws(ToolFailure) {
    let tree = try await run(text)
    session.output.say([TreeSelector.name(tree)], json: ["coordinator": .string(tree.string)])
  }

  /// Starts the flow that a link names. The flow's schema determines the types of the link's input.
  ///
  /// - Parameter text: link to open.
  /// - Returns: the path of the root coordinator.
  /// - Throws: ``ToolFailure`` if the text is not a link, or if the flow refuses the input. In both cases, nothing is
  ///   started.
  public func run(_ text: String) async throws(ToolFailure) -> ObjectPath {
    let link: FlowLink
    do {
      link = try FlowLink(text)
    } catch {
      throw ToolFailure(
        ["cannot open this link: \(error)", "  a link has the form: \(FlowLink.scheme):FLOW?key=value&key=value"], exit: .usage
      )
    }
    let flows = try await session.doing { () async throws(ClientError) in try await session.daemon.manager.listFlows() }
    let input = try session.object(link.input, flows.first { $0.name == link.flow }?.input)
    return try await session.explaining(link.flow) { () async throws(ClientError) in
      try await session.daemon.manager.startFlow(link.flow, input: input, options: Options()).coordinator
    }
  }
}
