import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
import RendererKit

/// `coordinatorctl start --parent`: starts a flow as a child.
public struct StartChild: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Starts a flow as a child, and prints its path.
  ///
  /// - Parameters:
  ///   - flow: name of the flow.
  ///   - assignments: input of the flow.
  ///   - parent: coordinator to start it under; nil for the coordinator of the top screen in the only active tree.
  ///   - options: options of the call; `style` and `request` apply.
  /// - Throws: ``ToolFailure``.
  public func run(
    _ flow: String, _ assignments: [Assignment], under parent: String?, options: Options
  ) async throws(ToolFailure) {
    let input = try await session.input(for: flow, assignments)
    let path: ObjectPath
    if let parent { path = try await session.coordinator(parent) } else { path = try await topCoordinator() }
    let child = try await session.explaining(flow) { () async throws(ClientError) in
      try await session.daemon.coordinator(path).startChild(flow, input: input, options: options)
    }
    let name = child.string.bytes.dropping(prefix: "\(Contract.flowsPath.string)/").map(String.init) ?? child.string
    session.output.say([name], json: ["coordinator": .string(child.string)])
  }

  private func topCoordinator() async throws(ToolFailure) -> ObjectPath {
    let root = try await session.root(nil)
    return try await session.doing { () async throws(ClientError) in try await session.window(of: root).top?.coordinator ?? root }
  }
}
