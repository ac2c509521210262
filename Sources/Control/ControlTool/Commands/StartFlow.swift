import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
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
      try await session.namedDaemon.manager.startFlow(flow, input: input, options: options)
    }
    let name = TreeSelector.name(started.coordinator)
    session.output.say(
      [name], json: ["coordinator": .string(started.coordinator.string), "router": .string(started.router.string)])
    if let ended { throw ended.failure }
  }
}

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
      try await session.namedDaemon.coordinator(path).startChild(flow, input: input, options: options)
    }
    let name = child.string.bytes.dropping(prefix: "\(Contract.flowsPath.string)/").map(String.init) ?? child.string
    session.output.say([name], json: ["coordinator": .string(child.string)])
  }

  private func topCoordinator() async throws(ToolFailure) -> ObjectPath {
    let root = try await session.root(nil)
    return try await session.doing { () async throws(ClientError) in try await session.window(of: root).top?.coordinator ?? root }
  }
}

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

extension FlowEnd {
  /// The lines of the result for scripts; if there is no result, lines for users that give the reason.
  package var resultLines: [String] {
    guard case .finished(let result) = self else { return lines }
    return result.sorted { $0.key < $1.key }.map { "\($0.key.printable): \($0.value.plainText)" }
  }
}

/// `coordinatorctl forget`: forgets how the flow of a token ended.
public struct ForgetToken: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Forgets how the flow of a token ended, so that the token starts a flow again.
  ///
  /// - Parameter token: the token.
  /// - Throws: ``ToolFailure``, with advice if the flow is still running.
  public func run(_ token: String) async throws(ToolFailure) {
    let isForgotten: Bool
    do {
      isForgotten = try await session.daemon.manager.forget(token)
    } catch {
      var failure = ToolFailure(error)
      if case .refused(.tokenInUse(let message)) = error {
        failure.lines = [message.printable, "  end the flow first with: coordinatorctl dismiss \(token.printable)"]
      }
      throw failure
    }
    session.output.say(
      [isForgotten ? "'\(token.printable)' can start a flow again." : "No flow with the token '\(token.printable)' has ended."],
      json: ["forgotten": .boolean(isForgotten)])
  }
}
