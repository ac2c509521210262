import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl start`: starts a flow as a root coordinator.
public struct StartFlow: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Starts a flow as a root coordinator, and prints its name.
  ///
  /// - Throws: ``ToolFailure``, with a separate exit code if the token belongs to a flow that has ended.
  public func run(_ flow: String, _ assignments: [Assignment], options: Options) async throws(ToolFailure) {
    let input = try await session.input(for: flow, assignments)
    let ended = await session.endedToken(options)
    let started = try await session.explaining(flow) { () async throws(ClientError) in
      try await session.daemon.manager.startFlow(flow, input: input, options: options)
    }
    let name = TreeSelector.name(started.coordinator)
    session.output.say(
      [name], json: ["coordinator": .string(started.coordinator.string), "router": .string(started.router.string)])
    if let ended { throw ended.failure }
  }
}
