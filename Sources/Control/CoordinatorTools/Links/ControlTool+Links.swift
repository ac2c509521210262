import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// Opening links.
extension ControlTool {
  /// Starts the flow that a link names. The flow's schema determines the types of the link's input.
  ///
  /// - Parameter text: link to open.
  /// - Returns: the path of the root coordinator.
  /// - Throws: ``ToolFailure`` if the text is not a link, or if the flow refuses the input. In both cases, nothing is
  ///   started.
  public func start(link text: String) async throws(ToolFailure) -> ObjectPath {
    let link: FlowLink
    do {
      link = try FlowLink(text)
    } catch {
      throw ToolFailure(
        ["this link starts no flow: \(error)", "  links are like this: \(FlowLink.scheme):FLOW?key=value&key=value"], exit: .usage
      )
    }
    let flows = try await doing { () async throws(ClientError) in try await daemon.manager.listFlows() }
    let input = try object(link.input, flows.first { $0.name == link.flow }?.input)
    return try await explaining(link.flow) { () async throws(ClientError) in
      try await daemon.manager.startFlow(link.flow, input: input, options: Options()).coordinator
    }
  }
}
