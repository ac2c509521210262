import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// `coordinatorctl run`: starts a flow, and waits until it ends.
public struct RunFlow: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Starts a flow, waits until it ends, and prints its result.
  ///
  /// - Parameters:
  ///   - flow: name of the flow.
  ///   - assignments: input of the flow.
  ///   - options: options of the call; `token`, `lifetime`, `timeout` and `fresh` apply.
  ///   - complain: closure that writes warnings.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
  public func run(
    _ flow: String, _ assignments: [Assignment], options: Options, complain: (String) -> Void = { _ in }
  ) async throws(ToolFailure) -> ToolExit {
    let input = try await session.input(for: flow, assignments)
    let ended = await session.endedToken(options)
    let end = try await session.explaining(flow) { () async throws(ClientError) in
      try await session.daemon.manager.runFlow(flow, input: input, options: options)
    }
    if let ended { complain(ended.warning) }
    session.output.say(end.resultLines, json: JSONValue(end))
    return end.exitCode
  }
}
